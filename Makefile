.PHONY: run test lint bench mutants
run test lint bench mutants:
	@./run $@ $(ARGS)
