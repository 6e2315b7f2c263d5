import { horizontalPodAutoscalerResource } from './horizontal-pod-autoscalers.ts';
import type { BuiltInResource } from '../contract/built-in-resource.ts';

export const autoscalingResources: readonly BuiltInResource[] = [horizontalPodAutoscalerResource];
