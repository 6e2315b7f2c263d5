/** A store process that the crash test kills. */
import { main } from '#servers/store/main.ts';

await main(process.argv.slice(2));
