/** Plays the attack of its argument (JSON) from a process of its own, says `standing`, and goes on until it is killed. */
import { startAttack, type Attack } from './attacks.ts';

await startAttack(JSON.parse(process.argv[2] ?? '') as Attack);
process.stdout.write('standing\n');
