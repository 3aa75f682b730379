.PHONY: run test lint bench mutants package
run test lint bench mutants package:
	@./run $@ $(ARGS)
