import { importTests } from './import-tests.ts';

importTests('shared', ['shared/apimachinery', 'shared/cel', 'shared/serializer']);
