import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, stringAt } from '#shared/apimachinery/object.ts';
import { compareUtf8 } from '#shared/apimachinery/text/go-format.ts';
import type { Cell } from '#shared/serializer/table/cells.ts';
import { NONE, ageOf, cellsOf, conditionOf, count, nameOf, textOr } from '#shared/serializer/table/cells.ts';
import type { KindRows } from '#shared/serializer/table/kind-rows.ts';

function printFlowSchema(object: JsonObject): Cell[] {
  const dangling = conditionOf(object, 'Dangling');
  return [
    nameOf(object),
    stringAt(object, 'spec', 'priorityLevelConfiguration', 'name'),
    count(object, 'spec', 'matchingPrecedence'),
    textOr(NONE, object, 'spec', 'distinguisherMethod', 'type'),
    ageOf(object),
    dangling === undefined ? '?' : stringAt(dangling, 'status'),
  ];
}

/** The reference lists flow schemas in the order in which they match. */
function compareFlowSchemas(a: JsonObject, b: JsonObject): number {
  return (
    count(a, 'spec', 'matchingPrecedence') - count(b, 'spec', 'matchingPrecedence') || compareUtf8(nameOf(a), nameOf(b))
  );
}

function printPriorityLevel(object: JsonObject): Cell[] {
  const limited = objectAt(object, 'spec', 'limited');
  const queuing = objectAt(limited, 'limitResponse', 'queuing');
  const queues = ['queues', 'handSize', 'queueLengthLimit'].map((name) =>
    queuing === undefined ? NONE : count(queuing, name),
  );
  return [
    nameOf(object),
    stringAt(object, 'spec', 'type'),
    limited === undefined ? NONE : count(limited, 'nominalConcurrencyShares'),
    ...queues,
    ageOf(object),
  ];
}

export const flowSchemaRows: KindRows = {
  print: cellsOf(printFlowSchema),
  order: compareFlowSchemas,
};

export const priorityLevelConfigurationRows: KindRows = {
  print: cellsOf(printPriorityLevel),
};
