.PHONY: run test lint bench
run test lint bench:
	@./run $@ $(ARGS)
