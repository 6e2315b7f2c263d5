import { importTests } from './import-tests.ts';

importTests('servers', ['servers/core']);
