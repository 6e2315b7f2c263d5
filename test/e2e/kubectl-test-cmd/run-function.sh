#!/usr/bin/env bash
# Runs one function of upstream's test/cmd as upstream's hack/make-rules/test-cmd.sh runs it alone (WHAT=…), against servers that are there:
#   SECURE_API_PORT=PORT SECURE_CTLRMGR_PORT=PORT run-function.sh FUNCTION
# in a copy of the folders that upstream's scripts read (scripts-copy.ts). FUNCTION `runTests` stands for the commands between the functions.
set -o errexit -o nounset -o pipefail
chosen=$1

source hack/lib/init.sh
source hack/lib/test.sh
source test/cmd/legacy-script.sh

# Both have been done for all functions together.
kube::etcd::start() { :; }
make() { :; }

# A function uses the namespace that an earlier one made and chose, and some rely on its being empty.
run_chosen_function_tests() { create_and_use_new_namespace; "$chosen"; }
if [ "$chosen" = runTests ]; then record_command() { :; }; else WHAT=chosen_function; fi

setup
if [ "$chosen" = run_nodes_tests ]; then
  # Upstream runs it late, when the controller manager has set the node's conditions, which it does after a minute.
  kubectl wait --for=condition=Ready=Unknown node/127.0.0.1 --timeout=120s
fi
export SUPPORTED_RESOURCES=("*")
# Upstream warns: in a subshell errexit would have no effect.
runTests
