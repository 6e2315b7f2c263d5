/** Plays the attack of its argument (JSON) from a process of its own, says `begins`, and goes on until it is killed. */
import { startAttack, type Attack } from './attacks.ts';

process.stdout.write('begins\n');
await startAttack(JSON.parse(process.argv[2] ?? '') as Attack);
