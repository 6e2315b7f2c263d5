import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { v3FromV2 } from './v3-from-v2.ts';

const fruit = { $ref: '#/definitions/Fruit' };

describe('v3FromV2', () => {
  test('converts paths, parameters, bodies and definitions of a v2 document', () => {
    const converted = v3FromV2({
      info: { title: 'fruits', version: '1' },
      paths: {
        '/apis/f.io/v1/fruits': {
          parameters: [{ name: 'pretty', in: 'query', type: 'string', uniqueItems: true, description: 'nicer' }],
          post: {
            consumes: ['application/json', 'application/yaml'],
            produces: ['application/json'],
            operationId: 'create',
            schemes: ['https'],
            'x-kubernetes-action': 'post',
            parameters: [{ name: 'body', in: 'body', required: true, schema: fruit }],
            responses: { 200: { description: 'OK', schema: fruit }, 401: { description: 'no' } },
          },
        },
      },
      definitions: {
        Fruit: {
          type: 'object',
          properties: {
            metadata: { $ref: '#/definitions/Meta', description: 'who' },
            seeds: { type: 'array', items: { $ref: '#/definitions/Seed' } },
            $ref: { type: 'string' },
          },
          example: { $ref: 'kept' },
        },
        Meta: { type: 'object', additionalProperties: { $ref: '#/definitions/Seed' } },
        Seed: {},
      },
    });
    const v3 = { $ref: '#/components/schemas/Fruit' };
    assert.deepEqual(JSON.parse(JSON.stringify(converted)), {
      openapi: '3.0.0',
      info: { title: 'fruits', version: '1' },
      paths: {
        '/apis/f.io/v1/fruits': {
          parameters: [
            { name: 'pretty', in: 'query', description: 'nicer', schema: { type: 'string', uniqueItems: true } },
          ],
          post: {
            operationId: 'create',
            'x-kubernetes-action': 'post',
            requestBody: { content: { 'application/json': { schema: v3 }, 'application/yaml': { schema: v3 } } },
            responses: {
              200: { description: 'OK', content: { 'application/json': { schema: v3 } } },
              401: { description: 'no' },
            },
          },
        },
      },
      components: {
        schemas: {
          Fruit: {
            type: 'object',
            example: { $ref: 'kept' },
            properties: {
              metadata: { allOf: [{ $ref: '#/components/schemas/Meta' }], description: 'who' },
              seeds: { type: 'array', items: { $ref: '#/components/schemas/Seed' } },
              $ref: { type: 'string' },
            },
          },
          Meta: { type: 'object', additionalProperties: { $ref: '#/components/schemas/Seed' } },
          Seed: {},
        },
      },
    });
  });
});
