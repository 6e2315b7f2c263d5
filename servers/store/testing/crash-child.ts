/** A store process for the crash test to kill. */
import { main } from '../main.ts';

await main(process.argv.slice(2));
