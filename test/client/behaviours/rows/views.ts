/** The service's lists, tables, events and webhooks, as the clients read them. */

import type { Row } from '../row.ts'
import { listed, verifyOf } from './service.ts'

const csvHeader = /^request_id,[\w,]+\n$/

const many: readonly Row[] = [
  {
    name: 'outcomes go in as rows and as CSV, are checked first, and may be repeated',
    service: {},
    steps: [
      { ...verifyOf(10), as: 'one', expect: {} },
      { ...verifyOf(20), as: 'two', expect: {} },
      {
        call: 'reportOutcomes',
        args: [[{ request_id: '{one.request_id}', outcome: 'FAILED' }]],
        options: { dryRun: true },
        expect: { answer: { dry_run: true, recorded: 1 } },
      },
      {
        call: 'reportOutcomes',
        args: [[{ request_id: '{one.request_id}', outcome: 'FAILED' }]],
        expect: { answer: { dry_run: false, recorded: 1 } },
      },
      {
        call: 'reportOutcomes',
        args: ['request_id,outcome\n{one.request_id},FAILED\n{two.request_id},COMPLETED\n'],
        expect: {
          answer: { recorded: 1, unchanged: 1, request_ids: ['{one.request_id}', '{two.request_id}'] },
        },
      },
      {
        call: 'reportOutcomes',
        args: ['request_id,outcome\n{one.request_id},COMPLETED\nSVC-1,COMPLETED\n'],
        expect: {
          error: {
            classes: ['InvalidRequestError', 'FairwayError'],
            errors: [
              { row: 1, column: 'outcome', line: 2 },
              { row: 2, column: 'request_id', line: 3 },
            ],
          },
        },
      },
      {
        call: 'calibration',
        query: { mode: 'shadow' },
        expect: { answer: { with_outcome: 2, failures: 1 } },
      },
    ],
  },
  {
    name: 'batches take JSON and CSV, give either, and can be kept',
    service: {},
    steps: [
      {
        call: 'batchAssess',
        args: [{ transactions: [{ corridor: 'GB-NG', amount: 1000 }, { corridor: 'NG-GB' }] }],
        expect: { answer: { transaction_count: 2 } },
      },
      {
        call: 'batchAssess',
        args: ['corridor,amount\nGB-NG,1000\n'],
        options: { reportName: 'März & April' },
        expect: { answer: { transaction_count: 1, report_name: 'März & April' } },
      },
      {
        call: 'batchAssess',
        args: [{ transactions: [{ corridor: 'GB-NG', amount: 1000 }] }],
        options: { format: 'csv' },
        expect: { answer: /^index,[^\n]+\n[^\n]+\n$/ },
      },
      {
        call: 'keepBatchReport',
        args: ['corridor,amount\nGB-NG,1000\n'],
        options: { reportName: 'März & April' },
        as: 'kept',
        expect: { answer: { report_id: /./ } },
      },
      {
        call: 'batchReport',
        args: ['{kept.report_id}'],
        expect: { answer: { report: { transaction_count: 1 } } },
      },
      {
        call: 'batchReport',
        args: ['{kept.report_id}'],
        options: { format: 'csv' },
        expect: { answer: /^index,/ },
      },
      {
        call: 'batchReport',
        args: ['{kept.report_id}'],
        options: { format: 'html' },
        expect: { answer: /^<!doctype html>/ },
      },
      {
        call: 'batchReports',
        expect: { answer: { reports: [{ report_id: '{kept.report_id}', report_name: 'März & April' }] } },
      },
      { call: 'removeBatchReport', args: ['{kept.report_id}'], expect: { answer: { status: 'deleted' } } },
      { call: 'batchReport', args: ['{kept.report_id}'], expect: { error: { code: 'NOT_FOUND' } } },
    ],
  },
  {
    name: 'the history is walked whole, newest first, and exported as one table',
    service: {},
    steps: [
      { ...verifyOf(1), as: 'one', expect: {} },
      { ...verifyOf(60_000), as: 'two', expect: {} },
      { ...verifyOf(3), as: 'three', expect: {} },
      {
        call: 'verifications',
        query: { limit: 2 },
        read: 'items',
        expect: { answer: listed('three', 'two', 'one') },
      },
      { call: 'verifications', query: { limit: 2 }, read: 'pages', expect: { answer: [[{}, {}], [{}]] } },
      {
        call: 'verifications',
        query: { limit: 2 },
        read: 'page',
        as: 'page',
        expect: { answer: { nextCursor: /./ } },
      },
      {
        call: 'verifications',
        query: { limit: 2, cursor: '{page.nextCursor}' },
        read: 'page',
        expect: { answer: { items: listed('one'), nextCursor: null } },
      },
      { call: 'verifications', query: { decision: 'NO-GO' }, read: 'items', expect: { answer: [] } },
      {
        call: 'exportVerifications',
        query: { limit: 2 },
        read: 'items',
        expect: { answer: [/^request_id,.*\n(?:SVC-.*\n){2}$/, /^SVC-.*\n$/] },
      },
      {
        call: 'exportVerifications',
        query: { decision: 'NO-GO' },
        read: 'items',
        expect: { answer: [csvHeader] },
      },
      {
        call: 'verificationsSummary',
        query: { from: 'yesterday' },
        expect: { error: { classes: ['InvalidRequestError', 'FairwayError'] } },
      },
      { call: 'verificationsSummary', query: {}, expect: { answer: { total: 3, step: 'hour' } } },
      {
        call: 'verificationsTotals',
        query: { amount_min: 2 },
        expect: { answer: { records: 2, complete: true, by_currency: [{ amount: 60_003 }] } },
      },
      { call: 'reviews', query: { status: 'open' }, read: 'items', expect: { answer: listed('two') } },
    ],
  },
]

const told: readonly Row[] = [
  {
    name: 'the events are read in their order, from any of them on',
    service: {},
    steps: [
      { ...verifyOf(1), as: 'one', expect: {} },
      { ...verifyOf(2), as: 'two', expect: {} },
      {
        call: 'events',
        query: { follow: false, limit: 1 },
        read: 'items',
        as: 'events',
        expect: { answer: [{ subject: '{one.request_id}' }, { subject: '{two.request_id}' }] },
      },
      {
        call: 'events',
        query: { after: '{events.0.id}', follow: false },
        read: 'items',
        expect: { answer: [{ id: '{events.1.id}' }] },
      },
      {
        call: 'events',
        query: { wait_s: 1 },
        read: 'items',
        take: 2,
        expect: { answer: [{ subject: '{one.request_id}' }, { subject: '{two.request_id}' }] },
      },
    ],
  },
  {
    name: 'a webhook that the service sends passes with the secret of its registration, and with no other',
    service: {},
    steps: [
      {
        call: 'registerWebhook',
        args: [{ url: '{receiver}' }],
        as: 'hook',
        expect: { answer: { secret: /^whsec_/ } },
      },
      { call: 'testWebhook', args: ['{hook.webhook_id}'], expect: { answer: { status: 'pending' } } },
      { received: 0, secret: '{hook.secret}', expect: { answer: { event: 'webhook.test' } } },
      { ...verifyOf(5), as: 'decision', expect: {} },
      {
        received: 1,
        secret: '{hook.secret}',
        expect: {
          answer: { event: 'payment.decision.created', data: { request_id: '{decision.request_id}' } },
        },
      },
      { call: 'rotateWebhookSecret', args: ['{hook.webhook_id}'], as: 'rotated', expect: {} },
      { ...verifyOf(6), expect: {} },
      { received: 2, secret: '{hook.secret}', expect: { answer: {} } },
      { received: 2, secret: '{rotated.secret}', expect: { answer: {} } },
      { received: 1, secret: '{rotated.secret}', expect: { fault: 'wrong_signature' } },
      {
        call: 'webhookDeliveries',
        args: ['{hook.webhook_id}'],
        query: { limit: 1 },
        read: 'items',
        expect: { answer: [{}, {}, {}] },
      },
      { call: 'webhooks', expect: { answer: [{ webhook_id: '{hook.webhook_id}' }] } },
      { call: 'webhook', args: ['{hook.webhook_id}'], expect: { answer: { url: '{receiver}' } } },
      { call: 'removeWebhook', args: ['{hook.webhook_id}'], expect: { answer: { status: 'deleted' } } },
      { call: 'webhook', args: ['{hook.webhook_id}'], expect: { error: { code: 'NOT_FOUND' } } },
    ],
  },
  {
    name: 'the public operations answer without a key',
    service: {},
    steps: [
      { open: { apiKey: null }, expect: {} },
      { call: 'health', expect: { answer: { status: 'healthy' } } },
      { call: 'ready', expect: { answer: { status: 'ready' } } },
      { call: 'demoVerify', expect: { answer: { corridor: 'GB-NG' } } },
      {
        call: 'methodology',
        expect: { answer: { signals: (signals: readonly unknown[]) => signals.length === 7 } },
      },
      { call: 'cipStatus', expect: { answer: { phase: 0 } } },
      {
        call: 'readiness',
        expect: { answer: { checklist: (items: readonly unknown[]) => items.length === 16 } },
      },
      { call: 'signalStatus', expect: { answer: { environment: 'sandbox' } } },
      { call: 'auditCheckpoint', query: {}, expect: { error: undefined } },
      {
        call: 'demoCompare',
        args: [{ payment: { amount: 85_000 } }],
        expect: { answer: { divergence: { profiles_agree: false } } },
      },
      {
        call: 'requestAccess',
        args: [
          {
            name: 'Payments team',
            email: 'payments@example.com',
            reason: 'To try it.',
            recaptcha_token: 'any',
          },
        ],
        expect: { answer: { sandbox_key: /^svc-sandbox-/ } },
      },
    ],
  },
  {
    name: 'corridors, partners and the settings of the organisation are as the service has them',
    service: {},
    steps: [
      {
        call: 'comparePartners',
        args: [{ corridor: 'GB-NG', partners: ['sim-partner-alder', 'sim-partner-birch'] }],
        expect: { answer: { partner_count: 2 } },
      },
      { call: 'replay', args: [{ corridor: 'GB-NG', amount: 1 }], expect: { answer: { corridor: 'GB-NG' } } },
      {
        call: 'corridors',
        expect: { answer: { corridors: [{ corridor: 'GB-NG' }, { corridor: 'NG-GB' }] } },
      },
      { call: 'liveFeeds', expect: { answer: { feeds: [] } } },
      { call: 'corridorCalendar', args: ['GB-NG'], expect: { error: { code: 'NOT_FOUND' } } },
      { call: 'corridorHealth', args: ['GB-NG'], query: {}, expect: { answer: { amount: null } } },
      {
        call: 'corridorHealth',
        args: ['GB-NG'],
        query: { amount: 85_000 },
        expect: { answer: { amount: 85_000 } },
      },
      {
        call: 'organisationSettings',
        expect: {
          answer: { corridors: { permitted: (permitted: readonly string[]) => permitted.includes('GB-NG') } },
        },
      },
    ],
  },
]

export const views: readonly Row[] = [...many, ...told]
