import { identityQuestions } from './identity-questions.ts';
import { keptQuestions } from './kept-questions.ts';
import { askedQuestions, reviewQuestions } from './query-questions.ts';
import type { Asked } from './send.ts';

/** All questions, by part. */
export const questionParts: ReadonlyMap<string, readonly Asked[]> = new Map([
  ['who asks, and what he may', identityQuestions],
  ['what is kept', keptQuestions],
  ['what is asked for', askedQuestions],
  ['reviews', reviewQuestions],
]);

const recordedForms = ['last byte A0', 'valid and invalid', 'two of three bytes', 'escaped low surrogate'];

/** Those whose answers are recorded for `npm test`: of a few forms, in JSON. */
export const recordedQuestions: readonly Asked[] = [...questionParts.values()]
  .flat()
  .filter(
    ({ what, ofFaultyUser }) =>
      ofFaultyUser !== true &&
      recordedForms.some((form) => what.includes(form) && !what.includes(`Latin-1, ${form}`)) &&
      !/as protobuf|as it is|: lists|^a (?:resource|subresource|version|path)/.test(what),
  );
