import { objectAt } from '#shared/apimachinery/object.ts';
import { nameIsPathSegment } from '#shared/apimachinery/validation/names.ts';
import { defineResource } from '#shared/registry/define-resource.ts';
import { keep } from '#shared/registry/object-metadata.ts';
import { apiServiceRows } from './api-service-rows.ts';
import { validateApiService, validateApiServiceStatus } from './api-service-validation.ts';
import { apiRegistrationGroup, locallyAvailable, setAvailability } from './api-service.ts';

/** APIService as in kube-aggregator/pkg/registry/apiservice. */
export const apiServiceDefinition = defineResource({
  group: apiRegistrationGroup,
  resource: 'apiservices',
  rows: apiServiceRows,
  subresources: { status: { isTable: false } },
  strategy: {
    generation: 'none',
    allowUnconditionalUpdate: false,
    resetFields: { '': [['status']], status: [['spec'], ['metadata']] },
    validateName: nameIsPathSegment,
    applyDefaults(object) {
      const service = objectAt(object, 'spec', 'service');
      if (service !== undefined && service['port'] === undefined) service['port'] = 443;
    },
    prepareForCreate(object, context) {
      object['status'] = {};
      if (objectAt(object, 'spec', 'service') === undefined) setAvailability(object, locallyAvailable, context.nowMs);
    },
    validate: validateApiService,
    validateUpdate: validateApiService,
    keepMetadataOfStatus(metadata, before) {
      for (const key of ['labels', 'annotations', 'finalizers', 'ownerReferences'] as const)
        keep(metadata, before, key);
    },
    validateStatusUpdate: validateApiServiceStatus,
  },
});
