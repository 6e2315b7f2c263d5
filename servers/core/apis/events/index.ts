import type { BuiltInResource } from '#servers/core/apis/contract/built-in-resource.ts';
import { eventResource } from './events.ts';

export const eventsResources: readonly BuiltInResource[] = [eventResource];
