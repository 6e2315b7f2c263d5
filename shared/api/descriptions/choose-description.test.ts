import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DescriptionSources, type ClientTexts } from './choose-description.ts';
import { parseDeclarations } from './parse-declarations.ts';

const widgets = parseDeclarations(
  `/**
 * A widget.
 *
 * It turns.
 */
export interface IWidget {
    /**
     * How it turns.
     *
     * Possible enum values:
     *  - \`"Left"\` is the usual way.
     *  - \`"Right"\` is the other.
     */
    "turn"?: "Left" | "Right";
    /**
     * Where it is.
     */
    "place"?: IPlace;
}`,
  /$^/g,
);
const widget = widgets.get('IWidget') ?? assert.fail();
const stable = 'io.example.v1.Widget';
const beta = 'io.example.v1beta1.Widget';

/** The texts that the client has of the beta version. */
function sources(texts: Readonly<Record<string, string>>, { referred = '', older = '' } = {}): DescriptionSources {
  const client: ClientTexts = {
    ofModel: () => texts[''] ?? '',
    ofField: (_, name) => ({ own: texts[name] ?? '', referred }),
  };
  return new DescriptionSources(new Map([['IoExampleV1Widget', widget]]), client, { text: () => older });
}

function betaText(field: string, from: DescriptionSources, values?: readonly string[]): string {
  return from.text({ model: beta, field, siblings: [stable], ...(values !== undefined && { values }) });
}

describe('DescriptionSources', () => {
  test('takes the text of kubernetes-models before any other', () => {
    const text = sources({ '': 'Another.' }).text({ model: stable, field: '', siblings: [] });
    assert.equal(text, 'A widget.\n\nIt turns.');
  });

  test("gives the client's text the line breaks of the same text elsewhere", () => {
    assert.equal(betaText('', sources({ '': 'A widget.  It turns.' })), 'A widget.\n\nIt turns.');
  });

  test('takes the text of a field without one from another version, an older release, or its type', () => {
    assert.equal(betaText('place', sources({}, { referred: 'A place.', older: 'A spot.' })), 'Where it is.');
    assert.equal(betaText('owner', sources({}, { referred: 'A person.', older: 'Who has it.' })), 'Who has it.');
    assert.equal(betaText('owner', sources({}, { referred: 'A person.' })), 'A person.');
    assert.equal(betaText('owner', sources({})), '');
  });

  test('lists the values of an enum, with their meanings where the same values are listed elsewhere', () => {
    const from = sources({ turn: 'How it turns.' });
    assert.equal(betaText('turn', from, ['Left', 'Right']), widget.fields.get('turn')?.text);
    assert.equal(
      betaText('turn', from, ['Left', 'Up']),
      'How it turns.\n\nPossible enum values:\n - `"Left"`\n - `"Up"`',
    );
    assert.equal(betaText('turn', from), 'How it turns.');
  });
});
