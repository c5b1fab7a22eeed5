/** The operations of the API that the tools call. Generated from docs/openapi.json by `npm run generate`. Do not edit. */

export const operations = {
  verify: {
    method: 'POST',
    path: '/api/v1/verify',
    places: {
      mode: 'query',
      corridor: 'body',
      amount: 'body',
      currency: 'body',
      idempotency_key: 'body',
      correlation_id: 'body',
    },
    input: {
      type: 'object',
      properties: {
        mode: {
          description: 'Defaults to the mode of the key. A test key cannot use `live`.',
          enum: ['shadow', 'live'],
        },
        corridor: {
          type: 'string',
          minLength: 1,
          maxLength: 128,
          pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
          description:
            'FROM-TO: two-letter codes in any case (`GB-NG`), three-letter codes, or country names.',
        },
        amount: {
          type: 'number',
          minimum: 0,
          maximum: 1000000000000000,
          description: 'In units of the currency. A missing amount is not zero.',
        },
        currency: {
          type: ['string', 'null'],
          minLength: 1,
          maxLength: 3,
          pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
          description: 'ISO 4217. Defaults to `GBP`.',
        },
        idempotency_key: {
          type: ['string', 'null'],
          minLength: 1,
          maxLength: 255,
          pattern: '^[\\x20-\\x7e]*$',
          description: 'A unique key for this payment, such as a UUID.',
        },
        correlation_id: {
          type: ['string', 'null'],
          minLength: 1,
          maxLength: 255,
          pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
          description: 'Your own reference. Echoed and stored with the record.',
        },
      },
      required: ['corridor'],
      additionalProperties: false,
    },
  },
  explainDecision: {
    method: 'GET',
    path: '/api/v1/decision/{id}/explanation',
    places: { id: 'path' },
    input: {
      type: 'object',
      properties: { id: { description: 'The `request_id` of a verify response.', type: 'string' } },
      required: ['id'],
      additionalProperties: false,
    },
  },
  comparePartners: {
    method: 'POST',
    path: '/api/v1/decision/compare',
    places: { corridor: 'body', amount: 'body', currency: 'body', partners: 'body' },
    input: {
      type: 'object',
      properties: {
        corridor: {
          type: 'string',
          minLength: 1,
          maxLength: 128,
          pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
          description:
            'FROM-TO: two-letter codes in any case (`GB-NG`), three-letter codes, or country names.',
        },
        amount: {
          type: 'number',
          minimum: 0,
          maximum: 1000000000000000,
          description: 'In units of the currency. A missing amount is not zero.',
        },
        currency: {
          type: ['string', 'null'],
          minLength: 1,
          maxLength: 3,
          pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
          description: 'ISO 4217. Defaults to `GBP`.',
        },
        partners: {
          type: 'array',
          items: {
            type: 'string',
            minLength: 1,
            maxLength: 100,
            pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
          },
          minItems: 2,
          maxItems: 50,
          description:
            'With a test key unique names of your choice, each with its own simulated network, liquidity and history. With a live key ids of declared partners.',
        },
      },
      required: ['corridor', 'partners'],
      additionalProperties: false,
    },
  },
  corridors: {
    method: 'GET',
    path: '/api/v1/corridors',
    places: {},
    input: { type: 'object', properties: {}, required: [], additionalProperties: false },
  },
  corridorHealth: {
    method: 'GET',
    path: '/api/v1/corridors/{corridor}',
    places: { amount: 'query', corridor: 'path' },
    input: {
      type: 'object',
      properties: {
        amount: {
          description:
            'Assess the corridor for payments of this amount in GBP, or in the first declared currency of a live corridor that does not take GBP. Defaults to typical payments.',
          type: 'number',
          minimum: 0,
          maximum: 1000000000000000,
        },
        corridor: {
          description: 'Same forms as in verify: `GB-NG`, three-letter codes or country names.',
          type: 'string',
        },
      },
      required: ['corridor'],
      additionalProperties: false,
    },
  },
  verifications: {
    method: 'GET',
    path: '/api/verifications',
    places: {
      limit: 'query',
      cursor: 'query',
      decision: 'query',
      corridor: 'query',
      from: 'query',
      to: 'query',
      correlation_id: 'query',
      mode: 'query',
      reason: 'query',
      currency: 'query',
      amount_min: 'query',
      amount_max: 'query',
      override: 'query',
      outcome: 'query',
    },
    input: {
      type: 'object',
      properties: {
        limit: { description: 'Records per page.', type: 'integer', minimum: 1, maximum: 500, default: 50 },
        cursor: { description: 'The `next_cursor` of the previous page.', type: 'string', maxLength: 128 },
        decision: { description: 'The decision.', enum: ['GO', 'DEGRADED', 'NO-GO'] },
        corridor: { type: 'string', minLength: 1, maxLength: 128 },
        from: { description: 'Recorded at this time or later; ISO 8601.', type: 'string', maxLength: 40 },
        to: { description: 'Recorded before this time; ISO 8601.', type: 'string', maxLength: 40 },
        correlation_id: {
          description: 'Exact match.',
          type: 'string',
          minLength: 1,
          maxLength: 255,
          pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
        },
        mode: { enum: ['shadow', 'live'] },
        reason: {
          description: 'Only decisions with this reason.',
          enum: [
            'HEALTHY_PARTNER',
            'HIGH_FRAUD_SIGNAL',
            'NETWORK_DEGRADED',
            'INSUFFICIENT_BALANCE',
            'HIGH_FX_VOLATILITY',
            'OPERATION_INVALID',
            'HIGH_FAILURE_RATE',
            'COP_OVERRIDE_ACTIVE',
            'CORRIDOR_UNSUPPORTED',
            'POLICY_CAP_APPLIED',
            'BELOW_GO_THRESHOLD',
            'POLICY_RULE_APPLIED',
            'NO_PARTNER_AVAILABLE',
          ],
        },
        currency: { description: 'The currency of the request.', type: 'string', minLength: 1, maxLength: 3 },
        amount_min: {
          description: 'At least this amount, in the currency of each request.',
          type: 'number',
          minimum: 0,
          maximum: 1000000000000000,
        },
        amount_max: {
          description: 'At most this amount.',
          type: 'number',
          minimum: 0,
          maximum: 1000000000000000,
        },
        override: { description: 'Whether the decision was overridden.', enum: ['true', 'false'] },
        outcome: {
          description: 'How the payment ended; `none` for decisions without a report.',
          enum: ['COMPLETED', 'FAILED', 'DELAYED', 'REJECTED', 'PENDING', 'none'],
        },
      },
      required: [],
      additionalProperties: false,
    },
  },
  reviews: {
    method: 'GET',
    path: '/api/v1/reviews',
    places: {
      limit: 'query',
      cursor: 'query',
      status: 'query',
      corridor: 'query',
      decision: 'query',
      mode: 'query',
      claimed_by: 'query',
      overdue: 'query',
    },
    input: {
      type: 'object',
      properties: {
        limit: { description: 'Reviews per page.', type: 'integer', minimum: 1, maximum: 500, default: 50 },
        cursor: { description: 'The `next_cursor` of the previous page.', type: 'string', maxLength: 128 },
        status: {
          description:
            'One of open, claimed, proposed, approved, rejected, expired, overridden, or several with commas. Without it, all.',
          type: 'string',
          maxLength: 100,
        },
        corridor: { type: 'string', minLength: 1, maxLength: 128 },
        decision: { description: 'The decision.', enum: ['GO', 'DEGRADED', 'NO-GO'] },
        mode: { enum: ['shadow', 'live'] },
        claimed_by: {
          description: 'Only those that you have claimed, or that nobody has.',
          enum: ['me', 'nobody'],
        },
        overdue: { description: '`true`: only those that wait for too long.', enum: ['true', 'false'] },
      },
      required: [],
      additionalProperties: false,
    },
  },
  review: {
    method: 'GET',
    path: '/api/v1/reviews/{review_id}',
    places: { review_id: 'path' },
    input: {
      type: 'object',
      properties: { review_id: { type: 'string' } },
      required: ['review_id'],
      additionalProperties: false,
    },
  },
  policies: {
    method: 'GET',
    path: '/api/v1/policies',
    places: { status: 'query', limit: 'query', cursor: 'query' },
    input: {
      type: 'object',
      properties: {
        status: {
          description: 'Only policies with this status.',
          enum: ['draft', 'candidate', 'active', 'retired'],
        },
        limit: { description: 'Policies per page.', type: 'integer', minimum: 1, maximum: 500, default: 50 },
        cursor: { description: 'The `next_cursor` of the previous page.', type: 'string', maxLength: 128 },
      },
      required: [],
      additionalProperties: false,
    },
  },
  policyReport: {
    method: 'GET',
    path: '/api/v1/policies/{policy_id}/report',
    places: { policy_id: 'path' },
    input: {
      type: 'object',
      properties: { policy_id: { description: 'The id of a policy.', type: 'string' } },
      required: ['policy_id'],
      additionalProperties: false,
    },
  },
  calibration: {
    method: 'GET',
    path: '/api/v1/calibration',
    places: { from: 'query', to: 'query', mode: 'query', corridor: 'query' },
    input: {
      type: 'object',
      properties: {
        from: {
          description: 'Recorded at this time or later; ISO 8601. Defaults to 365 days before `to`.',
          type: 'string',
          maxLength: 40,
        },
        to: {
          description:
            'Recorded before this time; ISO 8601. Defaults to now. Both are widened to whole UTC days.',
          type: 'string',
          maxLength: 40,
        },
        mode: { enum: ['shadow', 'live'] },
        corridor: { description: 'Only this corridor.', type: 'string', maxLength: 128 },
      },
      required: [],
      additionalProperties: false,
    },
  },
  decisionFile: {
    method: 'GET',
    path: '/api/v1/decision/{id}/file',
    places: { id: 'path' },
    input: {
      type: 'object',
      properties: { id: { description: 'The `request_id` of a verify response.', type: 'string' } },
      required: ['id'],
      additionalProperties: false,
    },
  },
} as const
