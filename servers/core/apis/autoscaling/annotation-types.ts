import {
  goInt32,
  goLabelSelector,
  pointerTo,
  goQuantity,
  sliceOf,
  goString,
  goTime,
  type EncodingJsonType,
  type EncodingJsonField,
} from '#shared/serializer/json/encoding-json-types.ts';

// The types of the annotations of autoscaling/v1, as Go declares them: those of the v1 API, and for the behavior the
// internal type, whose fields have no tags.

const struct = (name: string, fields: readonly EncodingJsonField[]): EncodingJsonType => ({
  kind: 'struct',
  name,
  fields,
});
const text = (name: string): EncodingJsonField => ({ name, type: goString });
const amount = (name: string): EncodingJsonField => ({ name, type: goQuantity });
const optionalAmount = (name: string): EncodingJsonField => ({ name, type: pointerTo(goQuantity) });
const percent = (name: string): EncodingJsonField => ({ name, type: pointerTo(goInt32) });
const selector = (name: string): EncodingJsonField => ({ name, type: pointerTo(goLabelSelector) });

const reference: EncodingJsonField = {
  name: 'target',
  type: struct('v1.CrossVersionObjectReference', [
    text('kind'),
    text('name'),
    { ...text('apiVersion'), omitsZero: true },
  ]),
};

/** The sources of a MetricSpec or MetricStatus; each is optional. */
function metricType(name: string, sources: Readonly<Record<string, readonly EncodingJsonField[]>>): EncodingJsonType {
  return struct(name, [
    text('type'),
    ...Object.entries(sources).map(([source, fields]) => ({ name: source, type: pointerTo(struct(source, fields)) })),
  ]);
}

export const metricSpecsType = sliceOf(
  metricType('v1.MetricSpec', {
    object: [
      reference,
      text('metricName'),
      amount('targetValue'),
      selector('selector'),
      optionalAmount('averageValue'),
    ],
    pods: [text('metricName'), amount('targetAverageValue'), selector('selector')],
    resource: [text('name'), percent('targetAverageUtilization'), optionalAmount('targetAverageValue')],
    containerResource: [
      text('name'),
      percent('targetAverageUtilization'),
      optionalAmount('targetAverageValue'),
      text('container'),
    ],
    external: [
      text('metricName'),
      selector('metricSelector'),
      optionalAmount('targetValue'),
      optionalAmount('targetAverageValue'),
    ],
  }),
);

export const metricStatusesType = sliceOf(
  metricType('v1.MetricStatus', {
    object: [
      reference,
      text('metricName'),
      amount('currentValue'),
      selector('selector'),
      optionalAmount('averageValue'),
    ],
    pods: [text('metricName'), amount('currentAverageValue'), selector('selector')],
    resource: [text('name'), percent('currentAverageUtilization'), amount('currentAverageValue')],
    containerResource: [
      text('name'),
      percent('currentAverageUtilization'),
      amount('currentAverageValue'),
      text('container'),
    ],
    external: [
      text('metricName'),
      selector('metricSelector'),
      amount('currentValue'),
      optionalAmount('currentAverageValue'),
    ],
  }),
);

export const conditionsType = sliceOf(
  struct('v1.HorizontalPodAutoscalerCondition', [
    text('type'),
    text('status'),
    { name: 'lastTransitionTime', type: goTime },
    { ...text('reason'), omitsZero: true },
    { ...text('message'), omitsZero: true },
  ]),
);

const scalingRules = pointerTo(
  struct('autoscaling.HPAScalingRules', [
    { name: 'StabilizationWindowSeconds', as: 'stabilizationWindowSeconds', type: pointerTo(goInt32) },
    { name: 'SelectPolicy', as: 'selectPolicy', type: pointerTo(goString) },
    {
      name: 'Policies',
      as: 'policies',
      type: sliceOf(
        struct('autoscaling.HPAScalingPolicy', [
          { name: 'Type', as: 'type', type: goString },
          { name: 'Value', as: 'value', type: goInt32 },
          { name: 'PeriodSeconds', as: 'periodSeconds', type: goInt32 },
        ]),
      ),
    },
    { name: 'Tolerance', as: 'tolerance', type: pointerTo(goQuantity) },
  ]),
);

export const behaviorType = struct('autoscaling.HorizontalPodAutoscalerBehavior', [
  { name: 'ScaleUp', as: 'scaleUp', type: scalingRules },
  { name: 'ScaleDown', as: 'scaleDown', type: scalingRules },
]);
