import type { BuiltInResource } from '#servers/core/apis/contract/built-in-resource.ts';
import { horizontalPodAutoscalerResource } from './horizontal-pod-autoscalers.ts';

export const autoscalingResources: readonly BuiltInResource[] = [horizontalPodAutoscalerResource];
