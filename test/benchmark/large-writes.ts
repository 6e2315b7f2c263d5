// Which part of a write of 20,000 entries holds the event loop in one go: at most a quarter of its processor time.
//   node --import tsx test/benchmark/large-writes.ts
import { coreStrategies } from '#servers/core/built-in-definitions.ts';
import { defaultDependencies } from '#servers/core/testing/default-dependencies.ts';
import { longestTurn } from '#shared/apimachinery/slices/testing/longest-turn.ts';
import { defineResource } from '#shared/registry/define-resource.ts';
import { InProcess } from '#test/integration/resources/in-process.ts';
import { largeWrites, storedBefore } from '#test/integration/resources/large-writes.ts';

const mostOfOneTurn = 0.25;
const strategy = coreStrategies(defaultDependencies)('', 'configmaps');
const server = new InProcess([defineResource({ group: '', resource: 'configmaps', strategy })]);

for (const [name, method, target, body, contentType] of largeWrites) {
  // The first writes of a kind are taken for large ones.
  for (let i = 0; i < 20; i++)
    await server.send('POST', `${storedBefore.path}?dryRun=All`, { metadata: { name: 'small' } });
  await server.send('POST', storedBefore.path, storedBefore.body);
  const { longestMs, totalMs } = await longestTurn(() =>
    server.send(method, target, body, { 'content-type': contentType }),
  );
  const share = longestMs / totalMs;
  const isHeld = share >= mostOfOneTurn;
  if (isHeld) process.exitCode = 1;
  const percent = `${Math.round(share * 100)} %`.padStart(5);
  console.log(`${isHeld ? 'TOO LONG' : 'ok      '} ${percent} of ${Math.round(totalMs)} ms: ${name}`);
}
server.close();
