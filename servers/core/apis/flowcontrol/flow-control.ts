import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import { statusLeavesMetadata } from '#servers/core/apis/contract/reset-fields.ts';
import { objectAt } from '#shared/apimachinery/object.ts';
import { ensureObject, setDefault, setDefaultNumber } from '#shared/apimachinery/set-default.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { validateConditionTypes, validateFlowSchema } from './flow-schema-validation.ts';
import { validatePriorityLevel } from './priority-level-validation.ts';
import { flowSchemaRows, priorityLevelConfigurationRows } from './rows.ts';

/** A write of the status keeps the old metadata, except `managedFields` (pkg/registry/flowcontrol). */
const statusRules: Pick<Strategy, 'prepareForStatusUpdate'> = {
  prepareForStatusUpdate(object, old) {
    const { managedFields } = object.metadata;
    object.metadata = { ...old.metadata, ...(managedFields && { managedFields }) };
  },
};

/** FlowSchemas (pkg/apis/flowcontrol/v1/defaults.go). */
const flowSchemaStrategy: Strategy = {
  ...statusRules,
  validate: validateFlowSchema,
  validateUpdate: validateFlowSchema,
  validateStatusUpdate: validateConditionTypes,
  applyDefaults: (schema) => setDefaultNumber(ensureObject(schema, 'spec'), 'matchingPrecedence', 1000),
};

/** PriorityLevelConfigurations. */
const priorityLevelStrategy: Strategy = {
  ...statusRules,
  validate: validatePriorityLevel,
  validateUpdate: validatePriorityLevel,
  validateStatusUpdate: validateConditionTypes,
  applyDefaults(level) {
    const exempt = objectAt(level, 'spec', 'exempt');
    if (exempt) {
      setDefault(exempt, 'nominalConcurrencyShares', 0);
      setDefault(exempt, 'lendablePercent', 0);
    }
    const limited = objectAt(level, 'spec', 'limited');
    if (!limited) return;
    setDefault(limited, 'nominalConcurrencyShares', 30);
    setDefault(limited, 'lendablePercent', 0);
    const queuing = objectAt(limited, 'limitResponse', 'queuing');
    if (!queuing) return;
    setDefaultNumber(queuing, 'handSize', 8);
    setDefaultNumber(queuing, 'queues', 64);
    setDefaultNumber(queuing, 'queueLengthLimit', 50);
  },
};

export const flowSchemaResource = defineBuiltIn({
  group: 'flowcontrol.apiserver.k8s.io',
  resource: 'flowschemas',
  rows: flowSchemaRows,
  strategy: flowSchemaStrategy,
  writes: {
    metadataOnUpdate: 'whole',
    generation: 'spec',
    resetFields: statusLeavesMetadata,
  },
});

export const priorityLevelResource = defineBuiltIn({
  group: 'flowcontrol.apiserver.k8s.io',
  resource: 'prioritylevelconfigurations',
  rows: priorityLevelConfigurationRows,
  strategy: priorityLevelStrategy,
  writes: {
    metadataOnUpdate: 'whole',
    generation: 'spec',
    resetFields: statusLeavesMetadata,
  },
});
