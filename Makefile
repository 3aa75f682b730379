.PHONY: run test lint bench mutants docs package
run test lint bench mutants docs package:
	@./run $@ $(ARGS)
