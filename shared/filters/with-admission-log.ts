import type { Logger } from '#shared/observability/logger.ts';
import type { AdmissionStep } from '#shared/request/admission-step.ts';
import type { Filter, RequestContext } from '#shared/request/request-context.ts';

/** The `-v` from which each step of admission is logged. */
const level = 5;

/** Logs which plugins, webhooks and policies admit a request, what each of them changes, and how long it takes. */
export function withAdmissionLog(logger: Logger): Filter {
  return (next) => (context) => {
    if (logger.enabled(level)) context.admissionRecorder = { record: (step) => log(logger, context, step) };
    return next(context);
  };
}

function log(logger: Logger, { auditId, info }: RequestContext, step: AdmissionStep): void {
  const { phase, plugin, rule, verdict, reason, ms, changed } = step;
  logger.info(level, 'Admission step', {
    auditID: auditId,
    verb: info.verb,
    path: info.path,
    phase,
    plugin,
    rule,
    verdict,
    reason,
    milliseconds: Number(ms.toFixed(3)),
    changed: changed.length === 0 ? undefined : changed,
  });
}
