import { bootstrapFlowControl } from '#shared/api/bootstrap-objects.ts';
import { FlowControl } from '#shared/flowcontrol/flow-control.ts';
import { readPriorityLevel } from '#shared/flowcontrol/levels/priority-level-configuration.ts';
import { FlowControlMetrics } from '#shared/flowcontrol/metrics/flow-control-metrics.ts';
import type { QueueSetClock } from '#shared/flowcontrol/queueset/queue-set-options.ts';
import { readFlowSchema } from '#shared/flowcontrol/schemas/flow-schema.ts';

/** Flow control with the mandatory and suggested objects, for so many seats. */
export function flowControlOfFacts(clock: QueueSetClock, serverLimit: number): FlowControl {
  const facts = bootstrapFlowControl();
  const flowControl = new FlowControl({
    clock,
    serverLimit,
    mandatory: { levels: facts.mandatoryPriorityLevels, schemas: facts.mandatoryFlowSchemas },
    metrics: new FlowControlMetrics(clock),
    gates: { watchesSendObjects: true, bySize: true },
  });
  flowControl.configure(
    [...facts.mandatoryPriorityLevels, ...facts.suggestedPriorityLevels].flatMap(
      (level) => readPriorityLevel(level) ?? [],
    ),
    [...facts.mandatoryFlowSchemas, ...facts.suggestedFlowSchemas].map(readFlowSchema),
  );
  return flowControl;
}
