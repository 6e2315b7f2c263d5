import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseDeclarations } from './parse-declarations.ts';

const ofClass = String.raw`import { V1Probe } from '../models/V1Probe.js';
/**
* A container.
*/
export declare class V1Container {
    /**
    * The image\'s \"name\".
    */
    'image'?: string;
    'livenessProbe'?: V1Probe;
    /**
    * More.
    */
    '_continue'?: string;
    static readonly discriminator: string | undefined;
}
`;

const ofInterface = String.raw`/**
 * A container.
 */
export interface IContainer {
    /**
     * Rules:
     *
     * \* one,
     *   two.
     */
    "rules": Array<string>;
}
/**
 * A container again.
 */
export declare class Container extends Model<IContainer> implements IContainer {
    "rules": Array<string>;
}
`;

const ofOneLine = `/** A pod. */
export interface Pod {
    /** Its "spec". */
    spec?: PodSpec;
}
/** An amount. */
export type Quantity = string;
`;

describe('parseDeclarations', () => {
  test('assigns each comment to the class or field that follows it', () => {
    const found = parseDeclarations(ofClass, /\\(?=['"])/g).get('V1Container');
    assert.equal(found?.text, 'A container.');
    assert.deepEqual(
      [...found.fields],
      [
        ['image', { text: 'The image\'s "name".', type: 'string' }],
        ['livenessProbe', { text: '', type: 'V1Probe' }],
        ['_continue', { text: 'More.', type: 'string' }],
      ],
    );
  });

  test('keeps the lines of a comment', () => {
    const found = parseDeclarations(ofInterface, /\\(?=[*/])/g).get('IContainer');
    assert.equal(found?.text, 'A container.');
    assert.deepEqual([...found.fields], [['rules', { text: 'Rules:\n\n* one,\n  two.', type: 'Array<string>' }]]);
  });

  test('reads comments of one line, and several types of a file', () => {
    const found = parseDeclarations(ofOneLine, /$^/g);
    assert.deepEqual([...(found.get('Pod')?.fields ?? [])], [['spec', { text: 'Its "spec".', type: 'PodSpec' }]]);
    assert.equal(found.get('Pod')?.text, 'A pod.');
    assert.equal(found.get('Quantity')?.text, 'An amount.');
  });
});
