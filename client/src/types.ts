/** Short names for the types of the contract. */

import type { components, operations } from './openapi.ts'

type Schemas = components['schemas']

export type Decision = Schemas['Decision']
export type Mode = Schemas['Mode']
export type ReasonCode = Schemas['ReasonCode']
export type Reason = Schemas['Reason']
export type RecommendedAction = Schemas['RecommendedAction']
export type SignalName = Schemas['SignalName']
export type SignalLabel = Schemas['SignalLabel']
export type PaymentOutcome = Schemas['PaymentOutcome']
export type ErrorCode = Schemas['Error']['code']
export type FieldError = NonNullable<Schemas['Error']['errors']>[number]

export type VerifyRequest = Schemas['VerifyRequest']
export type VerifyResponse = Schemas['VerifyResponse']
export type DemoVerifyRequest = Schemas['DemoVerifyRequest']
export type DemoVerifyResponse = Schemas['DemoVerifyResponse']
export type DemoCompareRequest = Schemas['DemoCompareRequest']
export type DemoCompareResponse = Schemas['DemoCompareResponse']
export type PartnerRankingRequest = Schemas['PartnerRankingRequest']
export type PartnerRankingResponse = Schemas['PartnerRankingResponse']
export type BatchRequest = Schemas['BatchRequest']
export type BatchResponse = Schemas['BatchResponse']
export type KeptReport = Schemas['KeptReport']
export type KeptReportList = Schemas['KeptReportList']
export type KeptReportDetails = Schemas['KeptReportDetails']
export type RemovedReport = Schemas['RemovedReport']
export type Transaction = Schemas['Transaction']
export type Assessment = Schemas['Assessment']

export type AuditRecord = Schemas['AuditRecord']
export type AuditExport = Schemas['AuditExport']
export type AuditProof = Schemas['AuditProof']
export type Checkpoint = Schemas['Checkpoint']
export type CheckpointAnswer = Schemas['CheckpointAnswer']
export type Verification = Schemas['Verification']
export type VerificationsSummary = Schemas['VerificationsSummary']
export type VerificationsTotals = Schemas['VerificationsTotals']
export type SearchResults = Schemas['SearchResults']
export type SearchResult = Schemas['SearchResult']
export type OverrideRequest = Schemas['OverrideRequest']
export type Override = Schemas['Override']
export type OutcomeRequest = Schemas['OutcomeRequest']
export type ReportedOutcome = Schemas['ReportedOutcome']
export type OutcomeRow = Schemas['OutcomeRow']
export type OutcomesResponse = Schemas['OutcomesResponse']

export type DecisionFile = Schemas['DecisionFile']
export type Explanation = Schemas['Explanation']
export type Impact = Schemas['Impact']
export type Timeline = Schemas['Timeline']
export type SignalProvenance = Schemas['SignalProvenance']
export type CorridorHealth = Schemas['CorridorHealth']
export type CorridorPartner = Schemas['CorridorPartner']
export type CorridorList = Schemas['CorridorList']
export type CorridorCalendar = Schemas['CorridorCalendar']
export type FeedList = Schemas['FeedList']
export type ReplayRequest = Schemas['ReplayRequest']
export type ReplayResponse = Schemas['ReplayResponse']

export type Me = Schemas['Me']
export type Principal = Schemas['Principal']
export type Owner = Schemas['Owner']
export type OwnerList = Schemas['OwnerList']
export type PersonSession = Schemas['PersonSession']
export type SessionList = Schemas['SessionList']
export type EndedSession = Schemas['EndedSession']
export type SessionState = Schemas['SessionState']
export type LoginRequest = Schemas['LoginRequest']
export type Invitation = Schemas['Invitation']
export type InvitationRequest = Schemas['InvitationRequest']
export type PasswordRequest = Schemas['PasswordRequest']
export type LogoutResponse = Schemas['LogoutResponse']
export type AdminKey = Schemas['AdminKey']
export type AdminKeyList = Schemas['AdminKeyList']
export type IssueKeyRequest = Schemas['IssueKeyRequest']
export type IssuedKey = Schemas['IssuedKey']
export type RotateKeyRequest = Schemas['RotateKeyRequest']
export type RotatedKey = Schemas['RotatedKey']
export type RevokedKey = Schemas['RevokedKey']
export type AccessRequestView = Schemas['AccessRequestView']
export type AccessRequestList = Schemas['AccessRequestList']
export type ApproveAccessRequest = Schemas['ApproveAccessRequest']
export type ApprovedAccess = Schemas['ApprovedAccess']
export type RejectAccessRequest = Schemas['RejectAccessRequest']
export type AdminPerson = Schemas['AdminPerson']
export type PersonList = Schemas['PersonList']
export type InviteRequest = Schemas['InviteRequest']
export type InvitedPerson = Schemas['InvitedPerson']
export type RolesRequest = Schemas['RolesRequest']
export type ChangedPerson = Schemas['ChangedPerson']
export type EndedSessions = Schemas['EndedSessions']
export type AdminFeeds = Schemas['AdminFeeds']
export type FeedCheckRequest = Schemas['FeedCheckRequest']
export type FeedChecks = Schemas['FeedChecks']
export type AdminWebhook = Schemas['AdminWebhook']
export type AdminWebhookList = Schemas['AdminWebhookList']
export type AdminCip = Schemas['AdminCip']
export type CipTransition = Schemas['CipTransition']
export type CipTransitionRequest = Schemas['CipTransitionRequest']
export type ErasurePreviewRequest = Schemas['ErasurePreviewRequest']
export type ErasurePreview = Schemas['ErasurePreview']
export type Retention = Schemas['Retention']
export type MonthList = Schemas['MonthList']
export type StoredMonth = Schemas['StoredMonth']
export type MonthCheck = Schemas['MonthCheck']
export type StartJobRequest = Schemas['StartJobRequest']
export type MaintenanceJob = Schemas['MaintenanceJob']
export type MaintenanceJobList = Schemas['MaintenanceJobList']
export type Activity = Schemas['Activity']
export type ActivityList = Schemas['ActivityList']
export type DeliveryDetail = Schemas['DeliveryDetail']
export type ResentDelivery = Schemas['ResentDelivery']
export type ResendRequest = Schemas['ResendRequest']
export type ResentEvents = Schemas['ResentEvents']
export type PolicyDocument = Schemas['PolicyDocument']
export type Policy = Schemas['PaymentPolicy']
export type PolicyList = Schemas['PolicyList']
export type PolicyReason = Schemas['PolicyReason']
export type PolicyRollback = Schemas['PolicyRollback']
export type PolicyReport = Schemas['PolicyReport']
export type PolicyCandidateReport = Schemas['PolicyCandidateReport']
export type PolicyBacktestRequest = Schemas['PolicyBacktestRequest']
export type PolicyBacktest = Schemas['PolicyBacktest']
export type PolicyBacktestList = Schemas['PolicyBacktestList']
export type PolicyCheck = Schemas['PolicyCheck']
export type PolicyVariables = Schemas['PolicyVariables']
export type Calibration = Schemas['Calibration']
export type ReliabilityBin = Schemas['ReliabilityBin']
export type FailureRate = Schemas['FailureRate']

export type Review = Schemas['Review']
export type ReviewDetail = Schemas['ReviewDetail']
export type ReviewList = Schemas['ReviewList']
export type ReviewStatus = Schemas['ReviewStatus']
export type ReviewActor = Schemas['ReviewActor']
export type ReviewSummary = Schemas['ReviewSummary']
export type ReviewCommentRequest = Schemas['ReviewCommentRequest']
export type ReviewProposeRequest = Schemas['ReviewProposeRequest']
export type ReviewApproveRequest = Schemas['ReviewApproveRequest']
export type ReviewRejectRequest = Schemas['ReviewRejectRequest']
export type Holds = Schemas['Holds']

export type WebhookRequest = Schemas['WebhookRequest']
export type Webhook = Schemas['Webhook']
export type RegisteredWebhook = Schemas['RegisteredWebhook']
export type RotatedWebhook = Schemas['RotatedWebhook']
export type RemovedWebhook = Schemas['RemovedWebhook']
export type TestedWebhook = Schemas['TestedWebhook']
export type Delivery = Schemas['Delivery']

export type DecisionEvent = Schemas['DecisionEvent']
export type OverrideEvent = Schemas['OverrideEvent']
export type StatusEvent = Schemas['StatusEvent']
export type ReviewOpenedEvent = Schemas['ReviewOpenedEvent']
export type ReviewClosedEvent = Schemas['ReviewClosedEvent']
export type EndpointSuspendedEvent = Schemas['EndpointSuspendedEvent']
export type TestEvent = Schemas['TestEvent']
/** An event sent to a receiver, discriminated by `event`. */
export type WebhookEvent =
  | DecisionEvent
  | OverrideEvent
  | StatusEvent
  | ReviewOpenedEvent
  | ReviewClosedEvent
  | EndpointSuspendedEvent
  | TestEvent

interface Streamed<Kind extends string, Data> extends Omit<Schemas['StreamedEvent'], 'type' | 'data'> {
  readonly type: Kind
  /** Null once the record was detached with its month. */
  readonly data: Data | null
}
/** An event of the stream, discriminated by `type`. Its `id` is a cursor. */
export type StreamedEvent =
  | Streamed<'payment.decision.created', DecisionEvent['data']>
  | Streamed<'payment.override.created', OverrideEvent['data']>
  | Streamed<'corridor.status.changed', StatusEvent['data']>
  | Streamed<'payment.review.opened', ReviewOpenedEvent['data']>
  | Streamed<'payment.review.closed', ReviewClosedEvent['data']>
export interface EventsPage {
  readonly events: readonly StreamedEvent[]
  /** The cursor for the events after these. */
  readonly next: string
}

export type AccessRequest = Schemas['AccessRequest']
export type AccessResponse = Schemas['AccessResponse']
export type Health = Schemas['Health']
export type Methodology = Schemas['Methodology']
export type Readiness = Schemas['Readiness']
export type SignalStatus = Schemas['SignalStatus']
export type CipStatus = Schemas['CipStatus']
export type OrganisationSettings = Schemas['OrganisationSettings']

/** The answer of `/readyz`, a probe outside of the contract. */
export interface Ready {
  readonly status: 'ready'
  readonly followers: readonly FollowerState[]
}

/** How far a follower of the journal is. */
export interface FollowerState {
  /** `totals`, `webhooks`, `policies`, `calibration`, `reviews`, `events` or `log`; later versions may add others. */
  readonly name: string
  /** Entries that it has not passed. */
  readonly lag_entries: number
  /** Age of the oldest of them. */
  readonly lag_seconds: number
  /** Whether its last run failed, as the instance that answers sees it. */
  readonly failing: boolean
}

/** The query parameters of an operation. */
type Query<Name extends keyof operations> = NonNullable<operations[Name]['parameters']['query']>

/** Without `format`, which the method chooses. */
export type VerificationsQuery = Omit<Query<'verifications'>, 'format'>
export type SummaryQuery = Query<'verificationsSummary'>
export type TotalsQuery = Query<'verificationsTotals'>
export type DeliveriesQuery = Query<'webhookDeliveries'>
export type CorridorQuery = Query<'corridorHealth'>
export type EventsQuery = Query<'events'>
export type PoliciesQuery = Query<'policies'>
export type OwnersQuery = Query<'owners'>
export type AdminKeysQuery = Query<'adminKeys'>
export type AccessRequestsQuery = Query<'accessRequests'>
export type AdminJobsQuery = Query<'adminJobs'>
export type AdminWebhooksQuery = Query<'adminWebhooks'>
/** Without `format`, which the method chooses. */
export type ActivityQuery = Omit<Query<'activity'>, 'format'>
export type CheckPolicyQuery = Query<'checkPolicy'>
export type CalibrationQuery = Query<'calibration'>
export type ReviewsQuery = Query<'reviews'>
export type ReviewSummaryQuery = Query<'reviewSummary'>
export type HoldsQuery = Query<'holds'>
