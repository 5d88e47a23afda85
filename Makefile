# Short names for setup.sh, which does the work and needs no make.
.PHONY: help setup run test package site check

help: ## Lists the commands
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/make \1\t\2/p' $(MAKEFILE_LIST)

setup: ## Installs what the system lacks (Debian and Ubuntu)
	@sh setup.sh

run: ## Opens the window; without a display, writes papillon.png and prints the timing
	@sh setup.sh run

test: ## Runs all tests, then the program for two minutes at random
	@sh setup.sh test

package: ## Makes an archive and a .deb in target/packages
	@sh setup.sh package

site: ## Builds the documentation as a site in target/site
	@sh setup.sh site

check: ## Checks format, lints, documentation and licences; warnings are errors
	@sh setup.sh check
