import { eventResource } from './events.ts';
import type { BuiltInResource } from '../contract/built-in-resource.ts';

export const eventsResources: readonly BuiltInResource[] = [eventResource];
