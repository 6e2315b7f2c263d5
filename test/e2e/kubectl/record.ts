// Records what a kubectl gets out of the reference, into gen/:
//   REFERENCE_BIN=FOLDER node --import tsx test/e2e/kubectl/record.ts [KUBECTL…]
// The folder holds kube-apiserver, etcd and kubectl; further versions of kubectl are named as arguments.
import { referenceProgram, startReference } from '#test/reference.ts';
import { writeRecording } from './recordings.ts';
import { runScenario } from './run-scenario.ts';

const programs = process.argv.length > 2 ? process.argv.slice(2) : [referenceProgram('kubectl') ?? 'kubectl'];
for (const program of programs) {
  // A server of its own for each: the scenario wants an empty one.
  const reference = await startReference();
  try {
    console.log(writeRecording(await runScenario(program, reference)));
  } finally {
    await reference.close();
  }
}
