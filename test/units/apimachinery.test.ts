import { importTests } from './import-tests.ts';

importTests('shared/apimachinery');
