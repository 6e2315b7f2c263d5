import { identityQuestions } from './identity-questions.ts';
import { keptSeries } from './kept-questions.ts';
import { askedQuestions, reviewQuestions } from './query-questions.ts';
import type { Asked } from './send.ts';

const alone = (questions: readonly Asked[]): readonly (readonly Asked[])[] => questions.map((one) => [one]);

/** All questions, by part: series, whose later questions need the earlier ones. */
export const questionParts: ReadonlyMap<string, readonly (readonly Asked[])[]> = new Map([
  ['who asks, and what he may', alone(identityQuestions)],
  ['what is kept', keptSeries],
  ['what is asked for', alone(askedQuestions)],
  ['reviews', alone(reviewQuestions)],
]);

const recordedForms = ['last byte A0', 'valid and invalid', 'two of three bytes', 'escaped low surrogate'];

/** Those whose answers are recorded for `npm test`: of a few forms, in JSON. */
export const recordedQuestions: readonly Asked[] = [...questionParts.values()]
  .flat(2)
  .filter(
    ({ what, ofFaultyUser }) =>
      ofFaultyUser !== true &&
      recordedForms.some((form) => what.includes(form) && !what.includes(`Latin-1, ${form}`)) &&
      !/as protobuf|as it is|: lists|^a (?:resource|subresource|version|path)/.test(what),
  );
