"""The types of the API. Generated from docs/openapi.json by `npm run generate`. Do not edit."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Literal, TypedDict, Union

Number = Union[int, float, Decimal]
"""A number of a request. A Decimal is sent as the number of the same value, and refused if JSON has none."""


class AccessRequest(TypedDict):
    name: str
    """The person, team or company that requests access."""
    email: str
    """Your email address, for the reply. Each address may have 3 active sandbox keys, and each network address 10."""
    reason: str
    """The intended use. An operator reads it."""
    recaptcha_token: str
    """The token from the captcha on your page. Any text if this instance has no captcha configured."""


class _AccessResponseRequired(TypedDict):
    access_request_id: str
    """Quote it when you enquire about the request."""
    status: Literal["received"]
    message: str
    """For humans. The text may change."""
    sandbox_key: str
    """For shadow mode, usable at once. Shown only once."""


class AccessResponse(_AccessResponseRequired, total=False):
    """The request is recorded. If it is approved, a live key is delivered separately."""

    warnings: list[Warning]
    """Unknown members of the body, which were ignored, country codes that ISO 3166 has not assigned, and an
    expired settlement calendar. Absent if there are none.
    """


class Actor(TypedDict):
    kind: Literal["key", "person", "operator"]
    id: str
    """The id of the key, or the name of the operator."""
    name: str


class Assessment(TypedDict):
    index: int
    """Position in the request, from 0."""
    transaction_id: str
    corridor: str
    corridor_supported: bool
    amount: float | None
    currency: str
    """The currency of the request."""
    actual_outcome: PaymentOutcome | None
    svc_decision: Decision
    svc_score: float
    svc_confidence: float
    svc_volatility: float
    policy_capped: bool
    alignment: bool | None
    improvement_opportunity: bool
    improvement_note: str | None
    flags: list[ReasonCode]


class AuditExportRecordPersonalText(TypedDict):
    """SHA-256, in base64, of the salt, a newline and the text. `salt` is null once erased."""

    hash: str
    salt: str | None


class AuditExportRecord(TypedDict):
    """The complete record. It never changes."""

    form: Literal[1, 2]
    """1: the personal text is part of the record. 2: it is kept apart, and can be erased."""
    personal_text: AuditExportRecordPersonalText | None
    request_id: str
    decision: Decision
    score: float
    answer: dict[str, Any]
    evidence: dict[str, Any]


class AuditExportHumanOverrideApproval(TypedDict):
    review_id: str
    approved_by: Principal
    key_id: str
    """The key, or the session of a person."""
    person_id: str | None
    principal_id: str | None


class AuditExportHumanOverridePersonalText(TypedDict):
    """SHA-256, in base64, of the salt, a newline and the text. `salt` is null once erased."""

    hash: str
    salt: str | None


class AuditExportHumanOverride(TypedDict):
    override_id: str
    request_id: str
    original_decision: Decision
    action: Literal["EXECUTE", "HOLD", "REJECT"]
    reason_code: str
    justification: str
    created_at: str
    """ISO 8601, UTC."""
    created_by: Principal
    approval: AuditExportHumanOverrideApproval | None
    key_id: str
    """The key, or the session of a person."""
    person_id: str | None
    principal_id: str | None
    form: Literal[1, 2]
    """1: the personal text is part of the record. 2: it is kept apart, and can be erased."""
    personal_text: AuditExportHumanOverridePersonalText | None


class _AuditExportOutcomeRequired(TypedDict):
    request_id: str
    outcome: PaymentOutcome
    occurred_at: str | None
    reported_at: str
    """ISO 8601, UTC."""
    reported_by: Principal
    key_id: str
    """The key, or the session of a person."""
    person_id: str | None
    principal_id: str | None
    outcome_id: str | None


class AuditExportOutcome(_AuditExportOutcomeRequired, total=False):
    partner: str
    """The partner that it went through, if reported."""


class AuditExportPoliciesItem(TypedDict):
    policy_id: str
    document: PolicyDocument


class AuditExportIntegritySignature(TypedDict):
    """Covers everything that `bundle_hash` covers, and `exported_at`."""

    verifier_key: str
    """The key of the log that signed."""
    note: str
    """A signed note: its form, `request_id`, `bundle_hash`, `exported_at`, a signature."""


class AuditExportIntegrity(TypedDict):
    algorithm: Literal["SHA-256"]
    canonicalisation: Literal["RFC 8785"]
    record_hash: str
    """SHA-256 of the canonical JSON of `record`, in lower-case hex."""
    bundle_hash: str
    """The same hash of the bundle without `exported_at`, `proof` and `integrity`."""
    member_hashes: dict[str, str]
    """Hashes of the parts by JSON pointer, to locate a change."""
    signature: AuditExportIntegritySignature
    """Covers everything that `bundle_hash` covers, and `exported_at`."""


class AuditExport(TypedDict):
    """A self-contained evidence bundle. `fairway audit verify FILE` verifies it offline."""

    export_version: int
    exported_at: str
    """ISO 8601, UTC."""
    record: AuditExportRecord
    """The complete record. It never changes."""
    source_record: dict[str, Any] | None
    human_override: AuditExportHumanOverride | None
    outcome: AuditExportOutcome | None
    policies: list[AuditExportPoliciesItem]
    """The policies that the decision was made under, that of the owner first. The evidence has the SHA-256 of each
    document.
    """
    explanation: Explanation
    timeline: Timeline
    proof: HeldProof
    integrity: AuditExportIntegrity


class AuditProof(TypedDict):
    """Proves that the record, its override and its outcome are in the log that the checkpoint signs."""

    request_id: str
    status: Literal["sealed", "pending"]
    """`pending`: recorded, but not sealed yet. Retry after a few seconds."""
    record: ProvenLeaf | None
    override: ProvenLeaf | None
    outcome: ProvenLeaf | None
    checkpoint: Checkpoint | None


class AuditRecordSignalContributionsItem(TypedDict):
    signal: SignalName
    status: ProbeLabel
    risk_value: float | None


class AuditRecord(TypedDict):
    """The record as written. It never changes; an override is recorded separately."""

    request_id: str
    corridor: str
    decision: Decision
    score: float
    confidence: float
    amount: float | None
    currency: str
    """The currency of the request, as in `request_currency`."""
    request_currency: str
    """The currency of the request."""
    settlement_currency: str | None
    mode: Mode
    evaluated_at: str
    """ISO 8601, UTC."""
    correlation_id: str | None
    reason_codes: list[ReasonCode]
    human_override: Override | None
    """Null until the decision is overridden."""
    outcome: ReportedOutcome | None
    """Null until an outcome is reported."""
    cooldown_source_request_id: str | None
    signal_contributions: list[AuditRecordSignalContributionsItem]


class _BatchRequestRequired(TypedDict):
    transactions: list[Transaction]


class BatchRequest(_BatchRequestRequired, total=False):
    report_name: Any
    """A display name for the report."""


class BatchResponseLinks(TypedDict):
    csv: str


class BatchResponse(TypedDict):
    """The assessment of every row, and a summary."""

    report_id: str
    report_name: str
    generated_at: str
    """ISO 8601, UTC."""
    model_version: str
    mode: Literal["shadow"]
    transaction_count: int
    summary: BatchSummary
    execution_uncertainty_score: int
    execution_uncertainty_band: Literal["Low", "Moderate", "High", "Critical"]
    calibration: CalibrationCurve
    _links: BatchResponseLinks
    warnings: list[str]
    """Ignored columns and members, and country codes that ISO 3166 has not assigned."""
    assessments: list[Assessment]


class BatchSummary(TypedDict):
    total_assessed: int
    go: int
    degraded: int
    no_go: int
    go_pct: float
    """Rounded half up to one decimal."""
    degraded_pct: float
    """Rounded half up to one decimal."""
    no_go_pct: float
    """Rounded half up to one decimal."""
    avg_score: float
    """Rounded half up to four decimals."""
    avg_confidence: float
    """Rounded half up to four decimals."""
    alignment_pct: float | None
    flagged_pre_failure: int
    improvement_opportunities: int
    transactions_with_outcome: int
    """`PENDING` does not count as an outcome."""


class CalibrationSignalsItem(TypedDict):
    signal: Literal[
        "fraud_flags",
        "network_healthy",
        "balance_sufficient",
        "fx_volatility",
        "operation_valid",
        "historical_failure_rate",
        "cop_overridden",
    ]
    flagged: FailureRate
    clear: FailureRate


CalibrationSeriesItem = TypedDict(
    "CalibrationSeriesItem",
    {
        "from": "str",
        "to": "str",
        "records": "int",
        "failures": "int",
        "rate": "float | None",
        "low": "float | None",
        "high": "float | None",
    },
)


Calibration = TypedDict(
    "Calibration",
    {
        "from": "str",
        "to": "str",
        "records": "int",
        "with_outcome": "int",
        "failures": "int",
        "brier": "float | None",
        "reliability": "list[ReliabilityBin]",
        "signals": "list[CalibrationSignalsItem]",
        "censored": "int",
        "no_data": "int",
        "series": "list[CalibrationSeriesItem]",
        "suggestion": "PolicyDocument | None",
        "suggestion_reason": "str",
    },
)


class CalibrationCurve(TypedDict):
    """What the scores of the rows predicted, beside how the payments ended."""

    with_outcome: int
    """Those with a final outcome; `PENDING` is none."""
    failures: int
    """Those that `FAILED` or were `REJECTED`."""
    brier: float | None
    reliability: list[ReliabilityBin]


class Checkpoint(TypedDict):
    """The size and root hash of the log, signed with Ed25519."""

    origin: str
    """The name of this log."""
    tree_size: int
    """Number of leaves in the log."""
    root_hash: str
    """SHA-256 in base64."""
    made_at: str
    """ISO 8601, UTC."""
    note: str
    """The exact signed note (c2sp.org/tlog-checkpoint). Store it: it reveals later changes to records."""
    verifier_key: str | None


class CheckpointAnswerConsistency(TypedDict):
    """Proves that the log with `from_size` leaves is a prefix of this one: PROOF in RFC 6962."""

    from_size: int
    path: list[str]


class CheckpointAnswer(TypedDict):
    checkpoint: Checkpoint | None
    consistency: CheckpointAnswerConsistency | None


class CipStatusBlendSuspended(TypedDict):
    """A weight that was set and counts as 0, because observations are simulated."""

    blend_weight: float
    reason: str


class CipStatus(TypedDict):
    """The status of the Corridor Intelligence Platform."""

    phase: int
    """0 telemetry only, 1 sandbox coverage, 2 production signals, 3 full network."""
    state: Literal["telemetry_only", "scoring_passive", "scoring_active"]
    decision_influence: bool
    """False: no telemetry affects any decision."""
    supported_for_decisioning: bool
    confidence: Literal["experimental", "provisional", "validated"]
    last_updated: str
    """When this state was entered. Only a formal transition changes it."""
    observations_collected: int
    """Number of stored observations of the active adapter."""
    blend_weight: float
    """Share of a live score."""
    blend_suspended: CipStatusBlendSuspended | None
    escalation_enabled: bool
    active_adapters: list[str]
    governed_by: str
    """The latest formal change."""


class CorridorBucket(TypedDict):
    status: Literal["CLEAR", "LOW", "MODERATE", "ELEVATED", "CRITICAL", "NO_DATA"]
    risk_value: float | None
    signals: list[SignalName]


class CorridorCalendarNextWindow(TypedDict):
    opens_at: str
    """ISO 8601, UTC."""
    cut_off_at: str
    """ISO 8601, UTC."""


class CorridorCalendar(TypedDict):
    """The settlement calendar. `opens_at` and `cut_off_at` are those of the open window, or of the next one;
    `next_window` is the first that opens later. All are null if it is expired.
    """

    time_zone: str
    open: bool | None
    opens_at: str | None
    cut_off_at: str | None
    next_window: CorridorCalendarNextWindow | None
    holidays: list[str]
    valid_through: str | None
    source: str | None


class CorridorHealthSignals(TypedDict):
    fx: CorridorBucket
    network: CorridorBucket
    settlement: CorridorBucket
    liquidity: CorridorBucket
    compliance: CorridorBucket


class CorridorHealthCooldown(TypedDict):
    """An open cooldown: verify repeats this NO-GO until then."""

    source_request_id: str
    expires_at: str
    """ISO 8601, UTC."""


class CorridorHealthCalendar(TypedDict):
    """The open settlement window, or the next one. Null without a valid calendar."""

    open: bool
    opens_at: str | None
    cut_off_at: str | None


class CorridorHealth(TypedDict):
    """IMPAIRED if a live signal is unavailable, the score is below 0.48, three or more signals are flagged, or one
    is CRITICAL. DEGRADED if a signal is flagged or the score is below 0.80. Otherwise OPERATIONAL.
    """

    corridor: str
    corridor_supported: bool
    amount: float | None
    currency: str
    """The currency of the assessed payments."""
    status: Literal["OPERATIONAL", "DEGRADED", "IMPAIRED"]
    data_environment: Literal["mixed", "simulation"]
    live_signals: int
    """Number of signals read from a live feed."""
    signals: CorridorHealthSignals
    advisory: str
    cooldown: CorridorHealthCooldown | None
    feeds: list[FeedAge]
    """The current state of each live feed; with partners, of the best one. Empty if the signals are simulated."""
    recommended_partner: str | None
    partners: list[CorridorPartner]
    """The declared partners, best first, then those that are not ranked. Live mode only."""
    calendar: CorridorHealthCalendar | None
    last_24_hours: list[ObservedHour]
    """What the probe observed in each of the last 24 hours, oldest first: of the signals that need no payment."""
    environment: Literal["sandbox", "production"]
    evaluated_at: str
    """ISO 8601, UTC."""


class CorridorList(TypedDict):
    mode: Mode
    corridors: list[SupportedCorridor]


class CorridorPartner(TypedDict):
    partner: str
    """The id."""
    name: str
    """For display."""
    decision: Decision | None
    score: float | None
    fee: float | None
    fee_currency: str | None
    amount_max: float | None
    available: bool
    """Whether it can be read and takes the amount."""
    unavailable_signals: list[SignalName]
    status: Literal["OPERATIONAL", "IMPAIRED", "CLOSED"] | None
    status_since: str | None
    feeds: list[FeedAge]
    last_24_hours: list[ObservedHour]
    """What the probe observed in each of the last 24 hours, oldest first: of the signals that need no payment."""


Decision = Literal["GO", "DEGRADED", "NO-GO"]


class DecisionEvent(TypedDict):
    event: Literal["payment.decision.created"]
    event_id: str
    """The same for every attempt. Use it to detect duplicates."""
    created_at: str
    """ISO 8601, UTC."""
    attempt: int
    """Also in the header `X-SVC-Attempt`."""
    data: DecisionEventData


class _DecisionEventDataRequired(TypedDict):
    request_id: str
    decision: Decision
    score: float
    confidence: float
    corridor: str
    amount: float | None
    currency: str
    """The currency of the request, as in `request_currency`."""
    request_currency: str
    """The currency of the request."""
    settlement_currency: str | None
    reason_codes: list[ReasonCode]
    recommended_action: RecommendedAction
    evaluated_at: str
    """ISO 8601, UTC."""
    mode: Mode
    environment: Literal["sandbox", "production"]


class DecisionEventData(_DecisionEventDataRequired, total=False):
    correlation_id: str
    cooldown_source_request_id: str
    """Present if a cooldown repeated this earlier decision."""


class DecisionFileRecording(TypedDict):
    """How the decision was recorded."""

    recorded_at: str
    """ISO 8601, UTC."""
    key_id: str
    """The key, or the session of a person."""
    trace_id: str | None
    record_hash: str
    """SHA-256 of the record, as in every export of the decision."""


class DecisionFileDeliveriesItemEndpoint(TypedDict):
    webhook_id: str
    url: str
    description: str | None


class DecisionFileDeliveriesItem(TypedDict):
    endpoint: DecisionFileDeliveriesItemEndpoint
    deliveries: list[Delivery]


class DecisionFileWithheldItem(TypedDict):
    member: Literal["answer", "audit", "recording", "proof", "review", "deliveries"]
    scope: Literal["audit:read", "review:read", "webhook:manage"]


class DecisionFile(TypedDict):
    """Each member has the shape of its own endpoint."""

    request_id: str
    answer: RecordedAnswer | None
    audit: AuditRecord | None
    recording: DecisionFileRecording | None
    explanation: Explanation
    provenance: SignalProvenance
    timeline: Timeline
    impact: Impact
    review: ReviewDetail | None
    """That of the source for a repeat. Null if the decision needs none."""
    deliveries: list[DecisionFileDeliveriesItem] | None
    proof: AuditProof | None
    withheld: list[DecisionFileWithheldItem]
    """The members that are null because the caller lacks the scope."""
    unavailable: list[Literal["answer", "audit", "recording", "proof", "review", "deliveries"]]
    """The members that are null because they could not be read just now. Retry later."""


class DeliveryNextAttempt(TypedDict):
    attempt: int
    due_at: str
    """The earliest time of the attempt. During the attempt, the time when its lease expires."""


class DeliveryAttemptsItem(TypedDict):
    attempt: int
    at: str
    """ISO 8601, UTC."""
    duration_ms: int
    outcome: Literal["delivered", "failed"]
    status_code: int | None
    error: Literal[
        "timeout",
        "name_not_resolved",
        "address_refused",
        "connection_failed",
        "tls_failed",
        "invalid_response",
        "host_failing",
        "secret_unavailable",
    ] | None


class Delivery(TypedDict):
    """One event for this endpoint, with its attempts."""

    event_id: str
    """The same for every attempt. Use it to detect duplicates."""
    event: Literal[
        "payment.decision.created",
        "payment.override.created",
        "corridor.status.changed",
        "payment.review.opened",
        "payment.review.closed",
        "webhook.endpoint.suspended",
        "webhook.test",
    ]
    request_id: str | None
    status: Literal["pending", "waiting_for_host", "delivered", "dropped", "suspended"]
    """`pending`: an attempt is scheduled or in progress. `waiting_for_host`: the host keeps failing, and is tried
    with one attempt at a time. `dropped`: the last attempt failed. `suspended`: not sent, because the endpoint
    was suspended.
    """
    created_at: str
    """ISO 8601, UTC."""
    next_attempt: DeliveryNextAttempt | None
    attempts: list[DeliveryAttemptsItem]
    """Completed attempts, oldest first."""


class DeliveryDetailNextAttempt(TypedDict):
    attempt: int
    due_at: str
    """The earliest time of the attempt. During the attempt, the time when its lease expires."""


class DeliveryDetailAttemptsItem(TypedDict):
    attempt: int
    at: str
    """ISO 8601, UTC."""
    duration_ms: int
    outcome: Literal["delivered", "failed"]
    status_code: int | None
    error: Literal[
        "timeout",
        "name_not_resolved",
        "address_refused",
        "connection_failed",
        "tls_failed",
        "invalid_response",
        "host_failing",
        "secret_unavailable",
    ] | None
    answer: str | None


class DeliveryDetail(TypedDict):
    """One event for this endpoint, with its body, its attempts and their answers."""

    event_id: str
    """The same for every attempt. Use it to detect duplicates."""
    event: Literal[
        "payment.decision.created",
        "payment.override.created",
        "corridor.status.changed",
        "payment.review.opened",
        "payment.review.closed",
        "webhook.endpoint.suspended",
        "webhook.test",
    ]
    request_id: str | None
    status: Literal["pending", "waiting_for_host", "delivered", "dropped", "suspended"]
    """`pending`: an attempt is scheduled or in progress. `waiting_for_host`: the host keeps failing, and is tried
    with one attempt at a time. `dropped`: the last attempt failed. `suspended`: not sent, because the endpoint
    was suspended.
    """
    created_at: str
    """ISO 8601, UTC."""
    next_attempt: DeliveryDetailNextAttempt | None
    attempts: list[DeliveryDetailAttemptsItem]
    """Completed attempts, oldest first."""
    body: str | None


class DemoCompareRequestPayment(TypedDict, total=False):
    """All members have defaults, so it may be empty."""

    corridor: Any
    """FROM-TO, as in verify. Default: GB-NG."""
    amount: Number
    """In units of the currency. Default: 1000."""
    currency: Any
    """ISO 4217. Defaults to `GBP`."""
    sender_country: Any
    """The sender's ISO 3166-1 alpha-2 code. Send both countries in place of a corridor."""
    destination_country: Any
    """The destination's ISO 3166-1 alpha-2 code. Send both countries in place of a corridor."""


class _DemoCompareRequestRequired(TypedDict):
    payment: DemoCompareRequestPayment
    """All members have defaults, so it may be empty."""


class DemoCompareRequest(_DemoCompareRequestRequired, total=False):
    profiles: Any
    """Defaults to all three."""


class DemoCompareResponseResults(TypedDict, total=False):
    conservative: ProfileResult
    balanced: ProfileResult
    optimise_speed: ProfileResult


class DemoCompareResponseDivergence(TypedDict):
    profiles_agree: bool
    summary: str


class _DemoCompareResponseRequired(TypedDict):
    corridor: str
    amount: float
    currency: str
    """The currency of the request."""
    profiles_compared: list[Literal["conservative", "balanced", "optimise_speed"]]
    results: DemoCompareResponseResults
    divergence: DemoCompareResponseDivergence
    evaluated_at: str
    """ISO 8601, UTC."""
    model_version: str
    environment: Literal["sandbox"]


class DemoCompareResponse(_DemoCompareResponseRequired, total=False):
    """One score compared with the threshold of each profile. Nothing is stored."""

    warnings: list[Warning]
    """Unknown members of the body, which were ignored, country codes that ISO 3166 has not assigned, and an
    expired settlement calendar. Absent if there are none.
    """


class DemoVerifyRequest(TypedDict, total=False):
    """All members have defaults, so the body may be empty."""

    corridor: Any
    """FROM-TO, as in verify. Default: GB-NG."""
    amount: Number
    """In units of the currency. Default: 1000."""
    currency: Any
    """ISO 4217. Defaults to `GBP`."""
    sender_country: Any
    """The sender's ISO 3166-1 alpha-2 code. Send both countries in place of a corridor."""
    destination_country: Any
    """The destination's ISO 3166-1 alpha-2 code. Send both countries in place of a corridor."""
    sender_account_type: Literal["business", "personal"] | None
    """Accepted, but does not affect the simulated decision."""
    purpose: Any
    """A purpose code. Accepted, but does not affect the simulated decision."""
    correlation_id: Any
    """Your own reference. Echoed, not stored."""


class DemoVerifyResponsePolicyVersion(TypedDict):
    """The ids of the policies that it was decided under; null if there was none."""

    owner: str | None
    installation: str | None


class _DemoVerifyResponseRequired(TypedDict):
    decision: Decision
    score: float
    confidence: float
    """Independent of the score."""
    recommended_action: RecommendedAction
    recommended_partner: str | None
    reasons: list[Reason]
    reason_codes: list[ReasonCode]
    """For older integrations. Prefer `reasons`."""
    request_id: str
    """Not recorded, so not available through audit."""
    evaluated_at: str
    """ISO 8601, UTC."""
    timestamp: str
    """ISO 8601, UTC."""
    corridor: str
    corridor_supported: bool
    validation_note: str
    currency: str | None
    mode: Literal["synthetic"]
    environment: Literal["sandbox"]
    volatility: float
    """Standard deviation of the corridor's recent scores."""
    probe_count: int
    """Number of signals evaluated."""
    signals: SignalValues
    probe_details: ProbeDetails
    decision_model: str
    api_version: str
    idempotency_hit: bool
    """True if this is the stored answer of an earlier request with the same idempotency key."""
    response_ms: int
    """Server-side processing time in milliseconds."""
    suggested_path: str
    """The suggested next step."""
    scoring_framework_version: str


class DemoVerifyResponse(_DemoVerifyResponseRequired, total=False):
    """A decision on synthetic signals. Nothing is stored."""

    correlation_id: str
    amount: float | None
    request_currency: str
    """The currency of the request. Absent in replays of old records."""
    policy_version: DemoVerifyResponsePolicyVersion | None
    warnings: list[Warning]
    """Unknown members of the body, which were ignored, country codes that ISO 3166 has not assigned, and an
    expired settlement calendar. Absent if there are none.
    """


class EndpointSuspendedEvent(TypedDict):
    event: Literal["webhook.endpoint.suspended"]
    event_id: str
    """The same for every attempt. Use it to detect duplicates."""
    created_at: str
    """ISO 8601, UTC."""
    attempt: int
    """Also in the header `X-SVC-Attempt`."""
    data: SuspensionEventData


class _ErrorErrorsItemRequired(TypedDict):
    path: str
    """JSON pointer to the invalid member."""
    message: str


class ErrorErrorsItem(_ErrorErrorsItemRequired, total=False):
    row: int
    """In a batch: the row, from 1, not counting the header."""
    column: str
    """In a batch: the invalid column."""
    line: int
    """In a CSV file: the line, from 1."""
    position: int
    """In an expression of a policy: the character, from 1."""


class _ErrorRequired(TypedDict):
    message: str
    """For humans. The text may change."""
    code: Literal[
        "INVALID_REQUEST",
        "UNAUTHORIZED",
        "FORBIDDEN",
        "FOUR_EYES",
        "REVIEW_REQUIRED",
        "NOT_FOUND",
        "METHOD_NOT_ALLOWED",
        "REQUEST_TIMEOUT",
        "IDEMPOTENCY_CONFLICT",
        "OVERRIDE_EXISTS",
        "OUTCOME_EXISTS",
        "WEBHOOK_EXISTS",
        "POLICY_CONFLICT",
        "REVIEW_CONFLICT",
        "ADMIN_CONFLICT",
        "PAYLOAD_TOO_LARGE",
        "UNSUPPORTED_MEDIA_TYPE",
        "UNPROCESSABLE",
        "RATE_LIMITED",
        "HEADERS_TOO_LARGE",
        "INTERNAL_ERROR",
        "SIGNALS_UNAVAILABLE",
        "STORE_UNAVAILABLE",
        "CAPTCHA_UNAVAILABLE",
        "OVERLOADED",
        "STOPPING",
    ]
    """For programs. Codes are stable."""
    request_id: str
    """Quote it when you report the error."""


class Error(_ErrorRequired, total=False):
    """The request is invalid, or has a member that is likely a misspelling. `errors` lists each invalid member and
    what is wrong with it.
    """

    errors: list[ErrorErrorsItem]
    """With 400: all syntax errors or, if there are none, all semantic errors."""
    unavailable_signals: list[str]
    """With 503: the signals that could not be read, sorted."""
    signals_without_feed: list[str]
    """With 503: those of them for which no feed is set up, so that waiting does not help."""


class EventsPage(TypedDict):
    events: list[StreamedEvent]
    """In the order of the log, oldest first."""
    next: str
    """The cursor for the events after these. Always there: store it."""


class ExplanationTelemetry(TypedDict):
    """Only for a live decision that includes corridor telemetry."""

    weight: float
    value: float
    amount: float
    """The amount added to the composite; may be negative."""


class ExplanationPenalty(TypedDict):
    applied: bool
    multiplier: float
    flagged_count: int
    amount: float
    """Zero or less."""


class ExplanationPolicyGate(TypedDict):
    applied: bool
    rule: Literal["none", "review_above_cap", "block_above_cap"]
    changed_decision: bool
    """Whether the gate alone changed the decision, apart from rules of policies."""
    degraded_above: float
    no_go_above: float
    currency: str
    """The currency of the request."""
    message: str


class ExplanationPartnersItem(TypedDict):
    partner: str
    decision: Decision | None
    score: float | None
    fee: float | None
    fee_currency: str | None
    available: bool
    unavailable_signals: list[SignalName]
    comparison: str | None


class ExplanationPoliciesOwnerRulesFiredItem(TypedDict):
    rule_id: str
    when: str | None
    then: Literal["DEGRADED", "NO-GO"]
    message: str
    could_not_be_evaluated: bool
    """True if the rule could not be evaluated for this payment, and so counts as fired."""


class ExplanationPoliciesOwner(TypedDict):
    policy_id: str
    name: str
    rules_fired: list[ExplanationPoliciesOwnerRulesFiredItem]


class ExplanationPoliciesInstallationRulesFiredItem(TypedDict):
    rule_id: str
    when: str | None
    then: Literal["DEGRADED", "NO-GO"]
    message: str
    could_not_be_evaluated: bool
    """True if the rule could not be evaluated for this payment, and so counts as fired."""


class ExplanationPoliciesInstallation(TypedDict):
    policy_id: str
    name: str
    rules_fired: list[ExplanationPoliciesInstallationRulesFiredItem]


class ExplanationPolicies(TypedDict):
    """The policies that the decision was made under. Absent if there were none."""

    owner: ExplanationPoliciesOwner | None
    installation: ExplanationPoliciesInstallation | None


class ExplanationBandsItem(TypedDict):
    decision: Decision
    score_from: float
    score_below: float


class _ExplanationCounterfactualsItemRequired(TypedDict):
    kind: Literal["signal", "partner", "telemetry", "policy", "amount", "profile"]
    change: str
    decision: Decision
    score: float


class ExplanationCounterfactualsItem(_ExplanationCounterfactualsItemRequired, total=False):
    cap_not_applied: bool
    """True if this GO ignores the review cap: with it, verify gives DEGRADED."""


class ExplanationCooldown(TypedDict):
    """Present if this record repeats another during a cooldown. The values shown are those of the original."""

    source_request_id: str
    """The record of the original decision, which has the counterfactuals."""


class _ExplanationRequired(TypedDict):
    request_id: str
    decision: Decision
    score: float
    summary: str
    """A summary in prose."""
    factors: list[Factor]
    """The contributions add up to `composite`."""
    composite: float
    """The sum of the contributions."""
    telemetry: ExplanationTelemetry | None
    penalty: ExplanationPenalty
    rounding: float
    """Zero or less. composite + telemetry.amount + penalty.amount + rounding = score, exactly."""
    policy_gate: ExplanationPolicyGate
    corridor_supported: bool
    bands: list[ExplanationBandsItem]
    counterfactuals: list[ExplanationCounterfactualsItem]
    """Each signal that alone, if healthy, would have changed the decision; the other partners; the decision
    without each policy; the largest amount that would have been GO; the other profiles.
    """
    largest_go_amount: float | None
    counterfactual_basis: str
    engine_version: str


class Explanation(_ExplanationRequired, total=False):
    """How the decision was made, from its recorded evidence."""

    partners: list[ExplanationPartnersItem]
    """Every declared partner, best first. Absent for a corridor without partners."""
    policies: ExplanationPolicies
    """The policies that the decision was made under. Absent if there were none."""
    cooldown: ExplanationCooldown
    """Present if this record repeats another during a cooldown. The values shown are those of the original."""


class Factor(TypedDict):
    signal: SignalName
    weight: float
    risk_value: float | None
    contribution: float
    """weight x risk_value: the share of `composite`."""
    status: ProbeLabel
    flagged: bool
    reason_code: ReasonCode | None
    message: str


class FailureRate(TypedDict):
    """The rate and its Wilson interval of 95%; all three are null below 20 records."""

    records: int
    """Payments with a final outcome."""
    failures: int
    """Those that `FAILED` or were `REJECTED`."""
    rate: float | None
    low: float | None
    high: float | None


class FeedAge(TypedDict):
    signal: SignalName
    kind: Literal["http", "fx-series", "outcomes", "constant"] | None
    status: Literal["fresh", "assumed", "unavailable"]
    observed_at: str | None
    age_ms: int | None
    fault: Literal[
        "no_feed",
        "refused",
        "timeout",
        "connection_lost",
        "bad_status",
        "redirect",
        "oversized",
        "unreadable",
        "no_value",
        "wrong_type",
        "out_of_range",
        "stale",
        "no_history",
        "breaker_open",
        "store_unavailable",
    ] | None
    breaker: Literal["closed", "open", "half_open"] | None


class FeedListFeedsItem(TypedDict):
    signal: SignalName
    corridor: str | None
    partner: str | None
    kind: Literal["http", "fx-series", "outcomes", "constant"]
    status: Literal["healthy", "failing", "not_read_yet"]
    breaker: Literal["closed", "open", "half_open"]
    """The state of the circuit breaker. `open`: requests to the provider are suspended."""
    last_read_at: str | None
    last_observed_at: str | None
    last_fault: Literal[
        "no_feed",
        "refused",
        "timeout",
        "connection_lost",
        "bad_status",
        "redirect",
        "oversized",
        "unreadable",
        "no_value",
        "wrong_type",
        "out_of_range",
        "stale",
        "no_history",
        "breaker_open",
        "store_unavailable",
    ] | None


class FeedList(TypedDict):
    feeds: list[FeedListFeedsItem]


class Health(TypedDict):
    """The service is up and its store responds."""

    status: Literal["healthy"]
    version: str
    """The version of the service and of its scoring engine."""
    contract_version: str
    """The version of the API contract, as in its OpenAPI document."""
    timestamp: str
    """ISO 8601, UTC."""
    total_verifications: int
    """Number of decisions recorded for all callers."""
    message: str
    mode: Literal["shadow"]
    """The mode of a test key."""
    modes: list[Mode]
    """The modes that decide now. Without a feed for each signal, live decisions are on hold."""
    environment: Literal["sandbox"]


class HeldProof(TypedDict):
    status: Literal["sealed", "pending"]
    """`pending`: recorded, but not sealed yet. Retry after a few seconds."""
    record: ProvenLeaf | None
    override: ProvenLeaf | None
    outcome: ProvenLeaf | None
    checkpoint: Checkpoint | None


class HoldsHoldsItem(TypedDict):
    corridor: str | None
    mode: Mode
    reason: str
    """The code of the error."""
    unavailable_signals: list[str]
    requests: int
    first_at: str
    """To the minute."""
    last_at: str
    """ISO 8601, UTC."""
    held_now: bool
    """Whether one of them was in the last five minutes."""


Holds = TypedDict(
    "Holds",
    {
        "from": "str",
        "requests": "int",
        "held_now": "int",
        "holds": "list[HoldsHoldsItem]",
    },
)


class ImpactCooldown(TypedDict):
    """Present if this record repeats another during a cooldown. The values shown are those of the original."""

    source_request_id: str
    """The record of the original decision, which has the counterfactuals."""


class _ImpactRequired(TypedDict):
    request_id: str
    decision: Decision
    risk_exposure_reduced: bool
    risk_reduction: float
    intervention_type: Literal["PASS_THROUGH", "CONDITIONAL_HOLD", "BLOCK"]
    confidence: Literal["high", "medium"]
    calculation_basis: str
    human_override: Override | None


class Impact(_ImpactRequired, total=False):
    """The effect of the decision on risk, compared with no verification."""

    cooldown: ImpactCooldown
    """Present if this record repeats another during a cooldown. The values shown are those of the original."""


class KeptReport(TypedDict):
    """A report that the owner keeps."""

    report_id: str
    report_name: str
    kept_at: str
    """ISO 8601, UTC."""
    kept_by: Principal
    transaction_count: int
    go: int
    degraded: int
    no_go: int
    execution_uncertainty_score: int
    may_delete: bool
    """Whether you may delete it: you kept it, or you are an admin."""


class KeptReportDetails(TypedDict):
    report_id: str
    report_name: str
    kept_at: str
    """ISO 8601, UTC."""
    kept_by: Principal
    transaction_count: int
    go: int
    degraded: int
    no_go: int
    execution_uncertainty_score: int
    may_delete: bool
    """Whether you may delete it: you kept it, or you are an admin."""
    months: list[str | None]
    """The month of each row, `2026-03`, in the order of the rows; null without a timestamp."""
    report: BatchResponse


class KeptReportList(TypedDict):
    reports: list[KeptReport]
    """Newest first."""


class _KeptReportResponseRequired(TypedDict):
    report_id: str
    report_name: str
    kept_at: str
    """ISO 8601, UTC."""
    kept_by: Principal
    transaction_count: int
    go: int
    degraded: int
    no_go: int
    execution_uncertainty_score: int
    may_delete: bool
    """Whether you may delete it: you kept it, or you are an admin."""


class KeptReportResponse(_KeptReportResponseRequired, total=False):
    """A report that the owner keeps."""

    warnings: list[Warning]
    """Unknown members of the body, which were ignored, country codes that ISO 3166 has not assigned, and an
    expired settlement calendar. Absent if there are none.
    """


class MeSession(TypedDict):
    session_id: str
    method: Literal["provider", "password"]
    """At the identity provider, or with a local account."""
    expires_at: str
    """ISO 8601, UTC."""


class _MeRequired(TypedDict):
    kind: Literal["key", "person"]
    id: str
    """The id of the key or the person."""
    name: str
    owner_id: str | None
    owner_name: str | None
    roles: list[Literal["viewer", "reviewer", "approver", "policy_author", "admin"]]
    scopes: list[Literal[
        "decision:read",
        "audit:read",
        "override:create",
        "webhook:manage",
        "outcome:write",
        "policy:read",
        "policy:write",
        "policy:approve",
        "review:read",
        "review:write",
        "review:approve",
    ]]
    mode: Mode


class Me(_MeRequired, total=False):
    email: str
    """Of a person; empty if the provider does not state it."""
    session: MeSession


class MethodologySignalsItem(TypedDict):
    signal: SignalName
    weight: float
    reason_code: ReasonCode
    rationale: str
    risk_value: str
    """The step from the value of a feed to the risk value."""


class MethodologyLabelsItem(TypedDict):
    label: SignalLabel
    risk_value_from: float


class MethodologyPenalty(TypedDict):
    flagged_signals_from: int
    share_taken: float


class MethodologyPolicyGateStricterItem(TypedDict):
    currency: str
    degraded_above: float
    no_go_above: float


class MethodologyPolicyGate(TypedDict):
    unit: str
    degraded_above: float
    no_go_above: float
    stricter: list[MethodologyPolicyGateStricterItem]


class MethodologyBandsItem(TypedDict):
    decision: Decision
    score_from: float
    score_below: float


class MethodologyProfilesItem(TypedDict):
    profile: Literal["conservative", "balanced", "optimise_speed"]
    go_threshold: float


class MethodologyCalibration(TypedDict):
    status: Literal["uncalibrated"]
    note: str


class Methodology(TypedDict):
    """The scoring rules, from the constants that the scorer uses."""

    model_version: str
    engine_version: str
    formula: str
    signals: list[MethodologySignalsItem]
    labels: list[MethodologyLabelsItem]
    flag_rule: str
    penalty: MethodologyPenalty
    policy_gate: MethodologyPolicyGate
    bands: list[MethodologyBandsItem]
    profiles: list[MethodologyProfilesItem]
    confidence: str
    supported_corridors: list[str]
    calibration: MethodologyCalibration


Mode = Literal["shadow", "live"]


class Observation(TypedDict):
    corridor: str
    observed_at: str
    """ISO 8601, UTC."""
    risk_value: float
    label: SignalLabel


class ObservedHour(TypedDict):
    hour: str
    """ISO 8601, UTC."""
    observations: int
    availability: float
    """Share of the observations in which every probed signal could be read."""
    score: float | None


class OrganisationSettingsKey(TypedDict):
    key_id: str
    type: Literal["test", "sandbox", "live"]
    environment: Literal["sandbox", "production"]
    created_at: str
    """ISO 8601, UTC."""
    expires_at: str | None


class OrganisationSettingsCorridors(TypedDict):
    permitted: list[str]
    """The validated corridors. Any other corridor has no data and is never GO."""


class OrganisationSettingsOpenCooldownsItem(TypedDict):
    corridor: str
    source_request_id: str
    expires_at: str
    """ISO 8601, UTC."""


class OrganisationSettingsFeatures(TypedDict):
    """The features that this key may use."""

    verify: bool
    batch_assessment: bool
    partner_ranking: bool
    decision_intelligence: bool
    outcomes: bool
    audit: bool
    audit_export: bool
    overrides: bool
    webhooks: bool
    test_amounts: bool
    live_mode: bool
    """True for a live key if every signal has a feed."""


class OrganisationSettingsAuditUsersItem(TypedDict):
    role: str
    scope: Literal[
        "decision:read",
        "audit:read",
        "override:create",
        "webhook:manage",
        "outcome:write",
        "policy:read",
        "policy:write",
        "policy:approve",
        "review:read",
        "review:write",
        "review:approve",
    ]
    description: str
    granted: bool
    """Whether this key has the scope."""


class OrganisationSettingsRateLimits(TypedDict):
    verify: RateLimit
    batch: RateLimit
    other: RateLimit


class OrganisationSettingsUsage(TypedDict):
    verifications_this_key: int
    """Number of decisions recorded with this key."""


class OrganisationSettings(TypedDict):
    """The settings in force for the calling key."""

    organisation: str
    """The label assigned to the key when it was issued."""
    key: OrganisationSettingsKey
    corridors: OrganisationSettingsCorridors
    open_cooldowns: list[OrganisationSettingsOpenCooldownsItem]
    """Corridors on which verify repeats a NO-GO, in the mode of the key. At most 100."""
    features: OrganisationSettingsFeatures
    """The features that this key may use."""
    audit_users: list[OrganisationSettingsAuditUsersItem]
    """Roles and the scope that each requires."""
    rate_limits: OrganisationSettingsRateLimits
    usage: OrganisationSettingsUsage


class _OutcomeRequestRequired(TypedDict):
    outcome: PaymentOutcome
    """How the payment ended. After `PENDING`, one more report is accepted."""


class OutcomeRequest(_OutcomeRequestRequired, total=False):
    partner: Any
    """The partner that the payment went through, by its id. Where the decision ranked partners, one of these."""
    occurred_at: Any
    """When the payment ended: an ISO 8601 date-time after the decision, not in the future. Defaults to the time of
    the report.
    """


class _OutcomeResponseRequired(TypedDict):
    request_id: str
    outcome: PaymentOutcome
    occurred_at: str | None
    reported_at: str
    """ISO 8601, UTC."""
    reported_by: Principal


class OutcomeResponse(_OutcomeResponseRequired, total=False):
    """How the payment ended, as reported by its owner."""

    partner: str
    """The partner that it went through, if reported."""
    warnings: list[Warning]
    """Unknown members of the body, which were ignored, country codes that ISO 3166 has not assigned, and an
    expired settlement calendar. Absent if there are none.
    """


class _OutcomeRowRequired(TypedDict):
    outcome: PaymentOutcome
    """How the payment ended. After `PENDING`, one more report is accepted."""


class OutcomeRow(_OutcomeRowRequired, total=False):
    request_id: Any
    """The `request_id` of a verify response."""
    correlation_id: Any
    """In place of `request_id`, if exactly one of your decisions has it."""
    partner: Any
    """The partner that the payment went through, by its id."""
    occurred_at: Any
    """When the payment ended: an ISO 8601 date-time after the decision, not in the future."""


class OutcomesRequest(TypedDict):
    outcomes: list[OutcomeRow]


class OutcomesResponse(TypedDict):
    dry_run: bool
    """Whether the rows were only checked."""
    recorded: int
    """Rows that were recorded, or would be."""
    unchanged: int
    """Rows that were reported before with the same content."""
    request_ids: list[str]
    """The decision of each row, in their order."""
    warnings: list[str]
    """Warnings about ignored columns or members."""


class OverrideApproval(TypedDict):
    """The review in which it was approved, and by whom. Null without one."""

    review_id: str
    approved_by: Principal


class Override(TypedDict):
    """A person's override of the decision. The decision itself never changes."""

    override_id: str
    request_id: str
    original_decision: Decision
    action: Literal["EXECUTE", "HOLD", "REJECT"]
    reason_code: str
    justification: str
    created_at: str
    """ISO 8601, UTC."""
    created_by: Principal
    approval: OverrideApproval | None


class OverrideEvent(TypedDict):
    event: Literal["payment.override.created"]
    event_id: str
    """The same for every attempt. Use it to detect duplicates."""
    created_at: str
    """ISO 8601, UTC."""
    attempt: int
    """Also in the header `X-SVC-Attempt`."""
    data: Override


class OverrideRequest(TypedDict):
    request_id: str
    """The `request_id` of the decision."""
    action: Literal["EXECUTE", "HOLD", "REJECT"]
    """The action to take instead."""
    reason_code: str
    """Your own code, in upper snake case."""
    justification: str
    """The reason for the override. Stored permanently."""


class OverrideResponseApproval(TypedDict):
    """The review in which it was approved, and by whom. Null without one."""

    review_id: str
    approved_by: Principal


class _OverrideResponseRequired(TypedDict):
    override_id: str
    request_id: str
    original_decision: Decision
    action: Literal["EXECUTE", "HOLD", "REJECT"]
    reason_code: str
    justification: str
    created_at: str
    """ISO 8601, UTC."""
    created_by: Principal
    approval: OverrideResponseApproval | None


class OverrideResponse(_OverrideResponseRequired, total=False):
    """A person's override of the decision. The decision itself never changes."""

    warnings: list[Warning]
    """Unknown members of the body, which were ignored, country codes that ISO 3166 has not assigned, and an
    expired settlement calendar. Absent if there are none.
    """


class _PartnerRankingRequestRequired(TypedDict):
    corridor: str
    """FROM-TO: two-letter codes in any case (`GB-NG`), three-letter codes, or country names."""
    partners: list[str]
    """With a test key unique names of your choice, each with its own simulated network, liquidity and history.
    With a live key ids of declared partners.
    """


class PartnerRankingRequest(_PartnerRankingRequestRequired, total=False):
    amount: Number
    """In units of the currency. A missing amount is not zero."""
    currency: Any
    """ISO 4217. Defaults to `GBP`."""


class _PartnerRankingResponseRankedPartnersItemRequired(TypedDict):
    rank: int
    partner: str
    decision: Decision | None
    score: float | None
    recommended_action: RecommendedAction | None


class PartnerRankingResponseRankedPartnersItem(_PartnerRankingResponseRankedPartnersItemRequired, total=False):
    fee: float | None
    fee_currency: str | None
    available: bool
    """Whether it can be read and takes the amount. Live mode only."""
    unavailable_signals: list[SignalName]
    """Signals that could not be read. Live mode only."""
    unavailable_reason: str | None


class _PartnerRankingResponseRequired(TypedDict):
    corridor: str
    amount: float | None
    currency: str
    """The currency of the request."""
    mode: Mode
    recommended_partner: str | None
    partner_count: int
    evaluated_at: str
    """ISO 8601, UTC."""
    ranked_partners: list[PartnerRankingResponseRankedPartnersItem]
    """Best first. Equal scores are sorted by name; in live mode by fee, then id. A partner that is not available
    comes last, without a decision.
    """


class PartnerRankingResponse(_PartnerRankingResponseRequired, total=False):
    """Every partner, scored by the same engine. Nothing is stored."""

    warnings: list[Warning]
    """Unknown members of the body, which were ignored, country codes that ISO 3166 has not assigned, and an
    expired settlement calendar. Absent if there are none.
    """


PaymentOutcome = Literal["COMPLETED", "FAILED", "DELAYED", "REJECTED", "PENDING"]


class PaymentPolicyChangesItem(TypedDict):
    kind: Literal["candidate", "promoted", "rolled_back"]
    at: str
    """ISO 8601, UTC."""
    by: Actor
    reason: str | None


class PaymentPolicy(TypedDict):
    """A policy never changes; a change is a new one."""

    policy_id: str
    status: Literal["draft", "candidate", "active", "retired"]
    created_at: str
    """ISO 8601, UTC."""
    created_by: Actor
    document: PolicyDocument
    sha256: str
    """Of the canonical JSON (RFC 8785) of the document, in hex."""
    changes: list[PaymentPolicyChangesItem]
    """Its life, oldest first."""


class PolicyBacktestProgress(TypedDict):
    records: int
    """Records done."""
    total: int | None


PolicyBacktest = TypedDict(
    "PolicyBacktest",
    {
        "backtest_id": "str",
        "policy_id": "str",
        "status": "Literal[\"queued\", \"running\", \"done\", \"failed\", \"cancelled\"]",
        "from": "str",
        "to": "str",
        "mode": "Mode | None",
        "created_at": "str",
        "ended_at": "str | None",
        "progress": "PolicyBacktestProgress",
        "report": "PolicyReport | None",
        "error": "str | None",
    },
)


class PolicyBacktestList(TypedDict):
    """The newest 20, newest first."""

    backtests: list[PolicyBacktest]


_PolicyBacktestRequestRequired = TypedDict(
    "_PolicyBacktestRequestRequired",
    {
        "from": "str",
        "to": "str",
    },
)


class PolicyBacktestRequest(_PolicyBacktestRequestRequired, total=False):
    mode: Mode | None


class PolicyBacktestResponseProgress(TypedDict):
    records: int
    """Records done."""
    total: int | None


_PolicyBacktestResponseRequired = TypedDict(
    "_PolicyBacktestResponseRequired",
    {
        "backtest_id": "str",
        "policy_id": "str",
        "status": "Literal[\"queued\", \"running\", \"done\", \"failed\", \"cancelled\"]",
        "from": "str",
        "to": "str",
        "mode": "Mode | None",
        "created_at": "str",
        "ended_at": "str | None",
        "progress": "PolicyBacktestResponseProgress",
        "report": "PolicyReport | None",
        "error": "str | None",
    },
)


class PolicyBacktestResponse(_PolicyBacktestResponseRequired, total=False):
    warnings: list[Warning]
    """Unknown members of the body, which were ignored, country codes that ISO 3166 has not assigned, and an
    expired settlement calendar. Absent if there are none.
    """


class PolicyCandidateReportByRuleItem(TypedDict):
    rule_id: str
    fired: int
    decided: int
    """How often the decision is that of this rule, and would be laxer without the rules."""


class PolicyCandidateReportByCorridorItem(TypedDict):
    corridor: str
    records: int
    flips: dict[str, int]
    """Records by decision before and after, like `GO>DEGRADED`."""


class PolicyCandidateReportByCurrencyItem(TypedDict):
    currency: str
    """The currency of the requests."""
    records: int
    flips: dict[str, int]
    """Records by decision before and after, like `GO>DEGRADED`."""


class PolicyCandidateReportAmountsItem(TypedDict):
    currency: str
    """The currency of the requests."""
    newly_stopped: float
    """In units of the currency."""
    payments: int


class PolicyCandidateReportOutcomesNewlyStopped(TypedDict):
    """What became of the newly stopped payments."""

    COMPLETED: int
    FAILED: int
    DELAYED: int
    REJECTED: int
    PENDING: int
    unreported: int


class PolicyCandidateReportOutcomes(TypedDict):
    newly_stopped: PolicyCandidateReportOutcomesNewlyStopped
    """What became of the newly stopped payments."""


PolicyCandidateReportSamplesItem = TypedDict(
    "PolicyCandidateReportSamplesItem",
    {
        "request_id": "str",
        "from": "Decision",
        "to": "Decision",
        "rules": "list[str]",
    },
)


class PolicyCandidateReport(TypedDict):
    """Every decision since the policy became the candidate."""

    since: str
    """ISO 8601, UTC."""
    until: str | None
    records: int
    """Records that were decided again."""
    unchanged: int
    """Those with the same decision; cooldown repeats always are."""
    undecided: int
    """Records that cannot be decided again, because another version of the engine decided them. They are in no
    other figure.
    """
    flips: dict[str, int]
    """Records by decision before and after, like `GO>DEGRADED`."""
    by_rule: list[PolicyCandidateReportByRuleItem]
    by_corridor: list[PolicyCandidateReportByCorridorItem]
    by_currency: list[PolicyCandidateReportByCurrencyItem]
    amounts: list[PolicyCandidateReportAmountsItem]
    """Newly stopped: a payment that was GO and would not be."""
    outcomes: PolicyCandidateReportOutcomes
    samples: list[PolicyCandidateReportSamplesItem]
    """The newest 100 of each flip."""


class _PolicyCheckErrorsItemRequired(TypedDict):
    path: str
    """JSON pointer into the document."""
    message: str


class PolicyCheckErrorsItem(_PolicyCheckErrorsItemRequired, total=False):
    position: int
    """In an expression: the character, from 1."""


PolicyCheckTried = TypedDict(
    "PolicyCheckTried",
    {
        "request_id": "str",
        "from": "Decision",
        "to": "Decision",
        "fired": "list[str]",
        "decided": "list[str]",
    },
)


class PolicyCheck(TypedDict):
    """Nothing is stored."""

    valid: bool
    errors: list[PolicyCheckErrorsItem]
    tried: PolicyCheckTried | None


class PolicyDocumentCapsValue(TypedDict):
    review_above: Number
    """Above it the decision is at most DEGRADED."""
    block_above: Number
    """Above it the decision is NO-GO."""


class PolicyDocumentRulesItem(TypedDict):
    id: str
    """Lower-case letters, digits, hyphens and underscores."""
    when: str
    """A CEL expression of at most 2048 bytes. The rule fires if it is true or cannot be evaluated."""
    then: Literal["DEGRADED", "NO-GO"]
    """The decision is at least as strict."""
    message: str
    """The message of the reason POLICY_RULE_APPLIED."""


class _PolicyDocumentRequired(TypedDict):
    name: str


class PolicyDocument(_PolicyDocumentRequired, total=False):
    """A policy only tightens: it never turns a decision into a laxer one."""

    require_amount: bool
    """Without an amount a payment is at most DEGRADED."""
    caps: dict[str, PolicyDocumentCapsValue]
    """Caps by currency, at least as strict as the contract: 50,000 and 500,000."""
    go_floor: Number
    """The lowest score of a GO, from 0.80 on."""
    no_go_below: Number
    """Below this score NO-GO, from 0.48 on."""
    rules: list[PolicyDocumentRulesItem]


class PolicyList(TypedDict):
    """Newest first."""

    policies: list[PaymentPolicy]
    active: str | None
    candidate: str | None
    next_cursor: str | None


class PolicyReason(TypedDict):
    reason: str
    """Why; recorded permanently."""


class PolicyReportByRuleItem(TypedDict):
    rule_id: str
    fired: int
    decided: int
    """How often the decision is that of this rule, and would be laxer without the rules."""


class PolicyReportByCorridorItem(TypedDict):
    corridor: str
    records: int
    flips: dict[str, int]
    """Records by decision before and after, like `GO>DEGRADED`."""


class PolicyReportByCurrencyItem(TypedDict):
    currency: str
    """The currency of the requests."""
    records: int
    flips: dict[str, int]
    """Records by decision before and after, like `GO>DEGRADED`."""


class PolicyReportAmountsItem(TypedDict):
    currency: str
    """The currency of the requests."""
    newly_stopped: float
    """In units of the currency."""
    payments: int


class PolicyReportOutcomesNewlyStopped(TypedDict):
    """What became of the newly stopped payments."""

    COMPLETED: int
    FAILED: int
    DELAYED: int
    REJECTED: int
    PENDING: int
    unreported: int


class PolicyReportOutcomes(TypedDict):
    newly_stopped: PolicyReportOutcomesNewlyStopped
    """What became of the newly stopped payments."""


PolicyReportSamplesItem = TypedDict(
    "PolicyReportSamplesItem",
    {
        "request_id": "str",
        "from": "Decision",
        "to": "Decision",
        "rules": "list[str]",
    },
)


class PolicyReport(TypedDict):
    records: int
    """Records that were decided again."""
    unchanged: int
    """Those with the same decision; cooldown repeats always are."""
    undecided: int
    """Records that cannot be decided again, because another version of the engine decided them. They are in no
    other figure.
    """
    flips: dict[str, int]
    """Records by decision before and after, like `GO>DEGRADED`."""
    by_rule: list[PolicyReportByRuleItem]
    by_corridor: list[PolicyReportByCorridorItem]
    by_currency: list[PolicyReportByCurrencyItem]
    amounts: list[PolicyReportAmountsItem]
    """Newly stopped: a payment that was GO and would not be."""
    outcomes: PolicyReportOutcomes
    samples: list[PolicyReportSamplesItem]
    """The newest 100 of each flip."""


class PolicyResponseChangesItem(TypedDict):
    kind: Literal["candidate", "promoted", "rolled_back"]
    at: str
    """ISO 8601, UTC."""
    by: Actor
    reason: str | None


class _PolicyResponseRequired(TypedDict):
    policy_id: str
    status: Literal["draft", "candidate", "active", "retired"]
    created_at: str
    """ISO 8601, UTC."""
    created_by: Actor
    document: PolicyDocument
    sha256: str
    """Of the canonical JSON (RFC 8785) of the document, in hex."""
    changes: list[PolicyResponseChangesItem]
    """Its life, oldest first."""


class PolicyResponse(_PolicyResponseRequired, total=False):
    """A policy never changes; a change is a new one."""

    warnings: list[Warning]
    """Unknown members of the body, which were ignored, country codes that ISO 3166 has not assigned, and an
    expired settlement calendar. Absent if there are none.
    """


class _PolicyRollbackRequired(TypedDict):
    rolled_back: str
    """The policy that was in force until now."""
    active: str | None


class PolicyRollback(_PolicyRollbackRequired, total=False):
    warnings: list[Warning]
    """Unknown members of the body, which were ignored, country codes that ISO 3166 has not assigned, and an
    expired settlement calendar. Absent if there are none.
    """


class PolicyVariablesVariablesItem(TypedDict):
    name: str
    """As it is written in an expression, like `signals.fraud_flags`."""
    type: str
    """Its CEL type."""
    description: str


class PolicyVariables(TypedDict):
    variables: list[PolicyVariablesVariablesItem]
    functions: list[str]
    macros: list[str]


class _PrincipalRequired(TypedDict):
    kind: Literal["key", "person"]
    id: str
    """The id of the key or the person."""
    name: str
    """For humans: of the person, or of the owner of the key."""


class Principal(_PrincipalRequired, total=False):
    """Who did it: a key, or a person with a session."""

    session_id: str
    """For a person: the session."""


class ProbeDetail(TypedDict):
    signal: ProbeLabel
    risk_value: float | None


class ProbeDetails(TypedDict):
    fraud_flags: ProbeDetail
    network_healthy: ProbeDetail
    balance_sufficient: ProbeDetail
    fx_volatility: ProbeDetail
    operation_valid: ProbeDetail
    historical_failure_rate: ProbeDetail
    cop_overridden: ProbeDetail


ProbeLabel = Literal["CLEAR", "LOW", "MODERATE", "ELEVATED", "CRITICAL", "NO_DATA"]


class _ProfileResultRequired(TypedDict):
    decision: Decision
    score: float
    go_threshold: float
    recheck_required: bool
    """True for DEGRADED, and for a GO that the balanced profile would not give: verify again before release."""
    profile_label: str
    recommended_action: RecommendedAction
    cap_not_applied: bool
    """True for a GO by the threshold alone, above the review cap: verify gives at most DEGRADED."""


class ProfileResult(_ProfileResultRequired, total=False):
    valid_for_seconds: int
    """How long the decision is valid, if the profile limits it."""


class ProvenLeaf(TypedDict):
    leaf_index: int
    leaf_hash: str
    """SHA-256 in base64."""
    leaf: str
    """The text whose RFC 6962 leaf hash is `leaf_hash`."""
    inclusion_path: list[str]
    """From the leaf to the root: PATH in RFC 6962."""


class RateLimit(TypedDict):
    requests: int
    window_seconds: float


class ReadinessChecklistItem(TypedDict):
    item: str
    status: Literal["ready", "planned", "not_available"]
    detail: str
    needed_for: list[Literal["sandbox", "production"]]


class Readiness(TypedDict):
    """Items are checked at the time of the request. Available even while the store is down."""

    enterprise_readiness: int
    """Number of items that are ready."""
    items_total: int
    sandbox_capability: Literal["ready", "not_ready"]
    production_capability: Literal["ready", "not_ready"]
    checklist: list[ReadinessChecklistItem]
    """Currently sixteen items."""
    checked_at: str
    """ISO 8601, UTC."""


class Reason(TypedDict):
    code: ReasonCode
    message: str


ReasonCode = Literal[
    "HEALTHY_PARTNER",
    "HIGH_FRAUD_SIGNAL",
    "NETWORK_DEGRADED",
    "INSUFFICIENT_BALANCE",
    "HIGH_FX_VOLATILITY",
    "OPERATION_INVALID",
    "HIGH_FAILURE_RATE",
    "COP_OVERRIDE_ACTIVE",
    "CORRIDOR_UNSUPPORTED",
    "POLICY_CAP_APPLIED",
    "BELOW_GO_THRESHOLD",
    "POLICY_RULE_APPLIED",
    "NO_PARTNER_AVAILABLE",
]


RecommendedAction = Literal[
    "PROCEED",
    "REVIEW",
    "REROUTE",
    "RETRY_LATER",
    "MANUAL_APPROVAL",
    "CONFIRM_PAYEE",
    "BLOCK",
    "TREAT_AS_NO_DATA",
]


class RecordedAnswerSettlementWindow(TypedDict):
    """The open window of the settlement calendar, or the next one. Null if the calendar is expired. Absent without
    a calendar.
    """

    open: bool
    opens_at: str | None
    cut_off_at: str | None


class RecordedAnswerPolicyVersion(TypedDict):
    """The ids of the policies that it was decided under; null if there was none."""

    owner: str | None
    installation: str | None


class RecordedAnswerCooldown(TypedDict):
    """Present if a recent NO-GO of this corridor was returned without recomputation."""

    source_request_id: str
    expires_at: str
    """ISO 8601, UTC."""


class _RecordedAnswerRequired(TypedDict):
    decision: Decision
    score: float
    confidence: float
    """Independent of the score."""
    recommended_action: RecommendedAction
    recommended_partner: str | None
    reasons: list[Reason]
    reason_codes: list[ReasonCode]
    """For older integrations. Prefer `reasons`."""
    request_id: str
    evaluated_at: str
    """ISO 8601, UTC."""
    timestamp: str
    """ISO 8601, UTC."""
    corridor: str
    corridor_supported: bool
    validation_note: str
    currency: str | None
    mode: Mode
    environment: Literal["sandbox", "production"]
    volatility: float
    """Standard deviation of the corridor's recent scores."""
    probe_count: int
    """Number of signals evaluated."""
    signals: SignalValues
    probe_details: ProbeDetails
    decision_model: str
    api_version: str


class RecordedAnswer(_RecordedAnswerRequired, total=False):
    """The answer as sent, without `idempotency_hit` and `response_ms`."""

    correlation_id: str
    valid_until: str
    """Verify again after this. Earlier if the settlement window closes. Absent in replays of old records."""
    settlement_window: RecordedAnswerSettlementWindow | None
    amount: float | None
    request_currency: str
    """The currency of the request. Absent in replays of old records."""
    policy_version: RecordedAnswerPolicyVersion | None
    warnings: list[Warning]
    """Unknown members of the body, which were ignored, country codes that ISO 3166 has not assigned, and an
    expired settlement calendar. Absent if there are none.
    """
    cooldown: RecordedAnswerCooldown
    """Present if a recent NO-GO of this corridor was returned without recomputation."""


class _RegisteredWebhookRequired(TypedDict):
    webhook_id: str
    url: str
    events: list[Literal[
        "payment.decision.created",
        "payment.override.created",
        "corridor.status.changed",
        "payment.review.opened",
        "payment.review.closed",
        "webhook.endpoint.suspended",
    ]]
    """The subscribed event kinds."""
    description: str | None
    status: Literal["active", "suspended"]
    """`suspended`: every attempt of seven days failed. Nothing is sent until you send a test event or events
    again.
    """
    suspended_at: str | None
    failing_since: str | None
    created_at: str
    """ISO 8601, UTC."""
    secret: str
    """`whsec_` followed by 32 bytes in base64. Shown only once."""


class RegisteredWebhook(_RegisteredWebhookRequired, total=False):
    """The new endpoint with its secret."""

    warnings: list[Warning]
    """Unknown members of the body, which were ignored, country codes that ISO 3166 has not assigned, and an
    expired settlement calendar. Absent if there are none.
    """


ReliabilityBin = TypedDict(
    "ReliabilityBin",
    {
        "from": "float",
        "to": "float",
        "records": "int",
        "failures": "int",
        "rate": "float | None",
        "low": "float | None",
        "high": "float | None",
    },
)


class RemovedReport(TypedDict):
    report_id: str
    status: Literal["deleted"]


class RemovedWebhook(TypedDict):
    """The endpoint is deleted. Its pending events are not sent."""

    webhook_id: str
    status: Literal["deleted"]


class _ReplayRequestRequired(TypedDict):
    corridor: str
    """FROM-TO: two-letter codes in any case (`GB-NG`), three-letter codes, or country names."""


class ReplayRequest(_ReplayRequestRequired, total=False):
    amount: Number
    """In units of the currency. A missing amount is not zero."""
    currency: Any
    """ISO 4217. Defaults to `GBP`."""
    occurred_at: Any
    """When the payment was made: an ISO 8601 date or date-time, not in the future."""
    actual_outcome: PaymentOutcome | None


class ReplayResponseVerdict(TypedDict):
    would_have_flagged: bool
    """Whether the payment would have been held or blocked."""
    decision: Decision
    recommended_action: RecommendedAction


class _ReplayResponseRequired(TypedDict):
    corridor: str
    corridor_supported: bool
    amount: float | None
    currency: str
    """The currency of the request."""
    mode: Literal["shadow"]
    occurred_at: str | None
    actual_outcome: PaymentOutcome | None
    verdict: ReplayResponseVerdict
    score: float
    confidence: float
    reasons: list[Reason]
    reason_codes: list[ReasonCode]
    probe_details: ProbeDetails
    alignment: bool | None
    would_have_helped: bool | None
    note: str
    evaluated_at: str
    """ISO 8601, UTC."""
    model_version: str


class ReplayResponse(_ReplayResponseRequired, total=False):
    """The decision that would have been made. Nothing is stored, and no cooldown is set or read."""

    warnings: list[Warning]
    """Unknown members of the body, which were ignored, country codes that ISO 3166 has not assigned, and an
    expired settlement calendar. Absent if there are none.
    """


class _ReportedOutcomeRequired(TypedDict):
    request_id: str
    outcome: PaymentOutcome
    occurred_at: str | None
    reported_at: str
    """ISO 8601, UTC."""
    reported_by: Principal


class ReportedOutcome(_ReportedOutcomeRequired, total=False):
    """How the payment ended, as reported by its owner."""

    partner: str
    """The partner that it went through, if reported."""


class _ResendRequestRequired(TypedDict):
    since: str
    """Sends what was dropped or suspended at this time or later; ISO 8601."""


class ResendRequest(_ResendRequestRequired, total=False):
    until: Any
    """Sends what was created before this time; ISO 8601. Defaults to now."""


class ResentDelivery(TypedDict):
    webhook_id: str
    event_id: str
    status: Literal["pending"]


class _ResentEventsRequired(TypedDict):
    queued: int
    """Events that are sent again, oldest first."""


class ResentEvents(_ResentEventsRequired, total=False):
    warnings: list[Warning]
    """Unknown members of the body, which were ignored, country codes that ISO 3166 has not assigned, and an
    expired settlement calendar. Absent if there are none.
    """


class Review(TypedDict):
    review_id: str
    """`rev_` and the digits of the `request_id`."""
    request_id: str
    decision: Decision
    score: float
    recommended_action: RecommendedAction
    amount: float | None
    currency: str
    """The currency of the request, as in `request_currency`."""
    request_currency: str
    """The currency of the request."""
    settlement_currency: str | None
    corridor: str
    mode: Mode
    reason_codes: list[ReasonCode]
    opened_at: str
    """When the decision was recorded."""
    due_at: str
    """ISO 8601, UTC."""
    expires_at: str
    """From then on it is `expired`, which never means `EXECUTE`."""
    status: ReviewStatus
    overdue: bool
    """Whether it waits for longer than it should."""
    needs_four_eyes: bool
    """Whether another principal than the proposer must approve or reject."""
    claimed_by: ReviewActor | None
    """Null if nobody has claimed it."""
    proposal: ReviewProposal | None
    """The latest one, also after a rejection."""
    resolution: ReviewResolution | None
    """How it ended, or why the last proposal was rejected. Null until then."""
    comments: list[ReviewComment]
    repeats: int
    """Decisions that a cooldown repeated. They have no review of their own."""


class ReviewActor(TypedDict):
    kind: Literal["key", "person"]
    id: str
    """The id of the key or the person."""
    name: str
    """For humans: of the person, or of the owner of the key."""


class ReviewApproveRequest(TypedDict, total=False):
    reason: Any
    """Stored permanently."""
    proposal_id: Any
    """Refused if the current proposal is another."""


class ReviewChange(TypedDict):
    kind: Literal[
        "opened",
        "claimed",
        "released",
        "commented",
        "proposed",
        "approved",
        "rejected",
        "expired",
        "overridden",
    ]
    by: ReviewActor | None
    at: str
    """ISO 8601, UTC."""
    action: Literal["EXECUTE", "HOLD", "REJECT"] | None
    reason_code: str | None
    text: str | None


class ReviewClosedEvent(TypedDict):
    event: Literal["payment.review.closed"]
    event_id: str
    """The same for every attempt. Use it to detect duplicates."""
    created_at: str
    """ISO 8601, UTC."""
    attempt: int
    """Also in the header `X-SVC-Attempt`."""
    data: ReviewEventData


class ReviewComment(TypedDict):
    by: ReviewActor | None
    text: str
    at: str
    """ISO 8601, UTC."""


class ReviewCommentRequest(TypedDict):
    text: str
    """Stored permanently."""


class ReviewDetail(TypedDict):
    review_id: str
    """`rev_` and the digits of the `request_id`."""
    request_id: str
    decision: Decision
    score: float
    recommended_action: RecommendedAction
    amount: float | None
    currency: str
    """The currency of the request, as in `request_currency`."""
    request_currency: str
    """The currency of the request."""
    settlement_currency: str | None
    corridor: str
    mode: Mode
    reason_codes: list[ReasonCode]
    opened_at: str
    """When the decision was recorded."""
    due_at: str
    """ISO 8601, UTC."""
    expires_at: str
    """From then on it is `expired`, which never means `EXECUTE`."""
    status: ReviewStatus
    overdue: bool
    """Whether it waits for longer than it should."""
    needs_four_eyes: bool
    """Whether another principal than the proposer must approve or reject."""
    claimed_by: ReviewActor | None
    """Null if nobody has claimed it."""
    proposal: ReviewProposal | None
    """The latest one, also after a rejection."""
    resolution: ReviewResolution | None
    """How it ended, or why the last proposal was rejected. Null until then."""
    comments: list[ReviewComment]
    repeats: int
    """Decisions that a cooldown repeated. They have no review of their own."""
    history: list[ReviewChange]
    """Every change, oldest first. Each is sealed in the log."""


class ReviewEventData(TypedDict):
    review_id: str
    """`rev_` and the digits of the `request_id`."""
    request_id: str
    decision: Decision
    score: float
    recommended_action: RecommendedAction
    amount: float | None
    currency: str
    """The currency of the request, as in `request_currency`."""
    request_currency: str
    """The currency of the request."""
    settlement_currency: str | None
    corridor: str
    mode: Mode
    reason_codes: list[ReasonCode]
    opened_at: str
    """When the decision was recorded."""
    due_at: str
    """ISO 8601, UTC."""
    expires_at: str
    """From then on it is `expired`, which never means `EXECUTE`."""
    status: ReviewStatus
    resolution: ReviewResolution | None
    """How it ended, or why the last proposal was rejected. Null until then."""


class ReviewList(TypedDict):
    reviews: list[Review]
    """Oldest due first."""
    next_cursor: str | None


class ReviewOpenedEvent(TypedDict):
    event: Literal["payment.review.opened"]
    event_id: str
    """The same for every attempt. Use it to detect duplicates."""
    created_at: str
    """ISO 8601, UTC."""
    attempt: int
    """Also in the header `X-SVC-Attempt`."""
    data: ReviewEventData


class ReviewProposal(TypedDict):
    proposal_id: str
    """Send it with an approval to approve exactly this proposal."""
    action: Literal["EXECUTE", "HOLD", "REJECT"]
    """The action to take instead."""
    reason_code: str
    justification: str
    proposed_by: ReviewActor | None
    proposed_at: str
    """ISO 8601, UTC."""


class ReviewProposeRequest(TypedDict):
    action: Literal["EXECUTE", "HOLD", "REJECT"]
    """The action to take instead."""
    reason_code: str
    """Your own code, in upper snake case."""
    justification: str
    """The reason for the proposal. Stored permanently."""


class _ReviewRejectRequestRequired(TypedDict):
    reason: str
    """What the next proposal should do better. Stored permanently."""


class ReviewRejectRequest(_ReviewRejectRequestRequired, total=False):
    proposal_id: Any
    """Refused if the current proposal is another."""


class ReviewResolution(TypedDict):
    status: ReviewStatus
    action: Literal["EXECUTE", "HOLD", "REJECT"] | None
    reason: str | None
    by: ReviewActor | None
    at: str
    """ISO 8601, UTC."""
    override_id: str | None


class _ReviewResponseRequired(TypedDict):
    review_id: str
    """`rev_` and the digits of the `request_id`."""
    request_id: str
    decision: Decision
    score: float
    recommended_action: RecommendedAction
    amount: float | None
    currency: str
    """The currency of the request, as in `request_currency`."""
    request_currency: str
    """The currency of the request."""
    settlement_currency: str | None
    corridor: str
    mode: Mode
    reason_codes: list[ReasonCode]
    opened_at: str
    """When the decision was recorded."""
    due_at: str
    """ISO 8601, UTC."""
    expires_at: str
    """From then on it is `expired`, which never means `EXECUTE`."""
    status: ReviewStatus
    overdue: bool
    """Whether it waits for longer than it should."""
    needs_four_eyes: bool
    """Whether another principal than the proposer must approve or reject."""
    claimed_by: ReviewActor | None
    """Null if nobody has claimed it."""
    proposal: ReviewProposal | None
    """The latest one, also after a rejection."""
    resolution: ReviewResolution | None
    """How it ended, or why the last proposal was rejected. Null until then."""
    comments: list[ReviewComment]
    repeats: int
    """Decisions that a cooldown repeated. They have no review of their own."""


class ReviewResponse(_ReviewResponseRequired, total=False):
    warnings: list[Warning]
    """Unknown members of the body, which were ignored, country codes that ISO 3166 has not assigned, and an
    expired settlement calendar. Absent if there are none.
    """


ReviewStatus = Literal["open", "claimed", "proposed", "approved", "rejected", "expired", "overridden"]


class ReviewSummaryMoneyItem(TypedDict):
    currency: str
    """The currency of the requests."""
    amount: float
    """The sum of the amounts that were sent."""
    reviews: int


class ReviewSummary(TypedDict):
    waiting: int
    """Reviews that need a person."""
    unclaimed: int
    """Those that nobody has claimed."""
    proposed: int
    """Those that wait for an approval."""
    overdue: int
    oldest_due_at: str | None
    money: list[ReviewSummaryMoneyItem]
    """The money that waits, by currency."""


class RotatedWebhook(TypedDict):
    """The endpoint with its new secret."""

    webhook_id: str
    url: str
    events: list[Literal[
        "payment.decision.created",
        "payment.override.created",
        "corridor.status.changed",
        "payment.review.opened",
        "payment.review.closed",
        "webhook.endpoint.suspended",
    ]]
    """The subscribed event kinds."""
    description: str | None
    status: Literal["active", "suspended"]
    """`suspended`: every attempt of seven days failed. Nothing is sent until you send a test event or events
    again.
    """
    suspended_at: str | None
    failing_since: str | None
    created_at: str
    """ISO 8601, UTC."""
    secret: str
    """The new secret. Shown only once."""
    previous_secret_expires_at: str
    """Until then, `webhook-signature` also contains a signature with the old secret."""


class SearchResultPayment(TypedDict):
    """The payment of the decision."""

    corridor: str
    decision: Decision
    amount: float | None
    currency: str
    """The currency of the request, as in `request_currency`."""
    request_currency: str
    """The currency of the request."""
    settlement_currency: str | None
    recorded_at: str
    """ISO 8601, UTC."""


class _SearchResultRequired(TypedDict):
    kind: Literal[
        "decision",
        "override",
        "outcome",
        "review",
        "event",
        "policy",
        "backtest",
        "report",
        "webhook",
    ]
    id: str
    title: str
    """Such as the name of a policy or a report, the URL of a webhook or a correlation id."""


class SearchResult(_SearchResultRequired, total=False):
    request_id: str
    """The decision that it is about."""
    policy_id: str
    """The policy of a backtest."""
    webhook_id: str
    """The webhook, or an endpoint that the event was sent to."""
    payment: SearchResultPayment
    """The payment of the decision."""


class SearchResults(TypedDict):
    results: list[SearchResult]
    """Empty if nothing is found."""


SignalLabel = Literal["CLEAR", "LOW", "MODERATE", "ELEVATED", "CRITICAL"]


SignalName = Literal[
    "fraud_flags",
    "network_healthy",
    "balance_sufficient",
    "fx_volatility",
    "operation_valid",
    "historical_failure_rate",
    "cop_overridden",
]


class SignalProvenanceSignalsItemFeedHistory(TypedDict):
    """For an aggregated value: the number of samples available and required."""

    have: int
    need: int


class SignalProvenanceSignalsItemFeed(TypedDict):
    """The reading from the live feed. Null for a simulated signal."""

    kind: Literal["http", "fx-series", "outcomes", "constant"]
    value: float | bool | str
    """The value sent by the provider."""
    observed_at: str | None
    age_ms: float | None
    history: SignalProvenanceSignalsItemFeedHistory | None


class SignalProvenanceSignalsItem(TypedDict):
    signal: SignalName
    risk_value: float | None
    label: ProbeLabel
    category: Literal["fx", "network", "settlement", "liquidity", "compliance"]
    source: Literal["simulation", "live", "none"]
    confidence: float
    """From 0.70; 0 if there is no data."""
    reason_code: ReasonCode | None
    feed: SignalProvenanceSignalsItemFeed | None


class SignalProvenanceCooldown(TypedDict):
    """Present if this record repeats another during a cooldown. The values shown are those of the original."""

    source_request_id: str
    """The record of the original decision, which has the counterfactuals."""


class _SignalProvenanceRequired(TypedDict):
    decision_id: str
    model_version: str
    evaluated_at: str
    """ISO 8601, UTC."""
    signals: list[SignalProvenanceSignalsItem]


class SignalProvenance(_SignalProvenanceRequired, total=False):
    """The source and confidence of each signal."""

    cooldown: SignalProvenanceCooldown
    """Present if this record repeats another during a cooldown. The values shown are those of the original."""


class SignalStatusAvailableFeedsItemLive(TypedDict):
    """The state on this instance; of several feeds for the signal, of the worst."""

    kind: Literal["http", "fx-series", "outcomes", "constant"]
    status: Literal["healthy", "failing", "not_read_yet"]
    breaker: Literal["closed", "open", "half_open"]
    """The state of the circuit breaker. `open`: requests to the provider are suspended."""
    last_read_at: str | None
    last_observed_at: str | None
    last_fault: Literal[
        "no_feed",
        "refused",
        "timeout",
        "connection_lost",
        "bad_status",
        "redirect",
        "oversized",
        "unreadable",
        "no_value",
        "wrong_type",
        "out_of_range",
        "stale",
        "no_history",
        "breaker_open",
        "store_unavailable",
    ] | None


class SignalStatusAvailableFeedsItem(TypedDict):
    feed: str
    signal: SignalName
    category: Literal["fx", "network", "settlement", "liquidity", "compliance"]
    source: Literal["simulation", "live", "none"]
    last_observation: Observation | None
    observations: list[Observation]
    """The latest observation of each corridor, newest first."""
    live: SignalStatusAvailableFeedsItemLive | None


class SignalStatusAvailable(TypedDict):
    feeds: list[SignalStatusAvailableFeedsItem]


class SignalStatusRoadmapFeedsItem(TypedDict):
    feed: str
    signal: SignalName
    category: Literal["fx", "network", "settlement", "liquidity", "compliance"]
    description: str


class SignalStatusRoadmap(TypedDict):
    feeds: list[SignalStatusRoadmapFeedsItem]


class SignalStatus(TypedDict):
    """Available feeds with their latest observations, and planned feeds."""

    available: SignalStatusAvailable
    roadmap: SignalStatusRoadmap
    modes: list[Mode]
    """The modes that decide now."""
    environment: Literal["sandbox", "production"]
    """That of every public answer, `sandbox`; `modes` has what is possible."""
    last_updated: str
    """YYYY-MM-DD, UTC."""


class SignalValues(TypedDict):
    fraud_flags: int | None
    network_healthy: bool | None
    balance_sufficient: bool | None
    fx_volatility: Literal["low", "high"] | None
    operation_valid: bool | None
    historical_failure_rate: float | None
    cop_overridden: bool | None


class StatusEvent(TypedDict):
    event: Literal["corridor.status.changed"]
    event_id: str
    """The same for every attempt. Use it to detect duplicates."""
    created_at: str
    """ISO 8601, UTC."""
    attempt: int
    """Also in the header `X-SVC-Attempt`."""
    data: StatusEventData


class StatusEventData(TypedDict):
    corridor: str
    partner: str | None
    status: Literal["OPERATIONAL", "IMPAIRED", "CLOSED"]
    previous_status: Literal["OPERATIONAL", "IMPAIRED", "CLOSED"]
    changed_at: str
    """ISO 8601, UTC."""


SummaryCorridor = TypedDict(
    "SummaryCorridor",
    {
        "corridor": "str",
        "total": "int",
        "GO": "int",
        "DEGRADED": "int",
        "NO-GO": "int",
        "average_score": "float | None",
    },
)


class SummaryLatencyBucketsItem(TypedDict):
    up_to_ms: float | None
    count: int


class SummaryLatency(TypedDict):
    """From the arrival of a request until its record is prepared, without the commit. Percentiles are interpolated
    within a bucket, capped at the last bound, and null without measurements.
    """

    p50: float | None
    p95: float | None
    p99: float | None
    buckets: list[SummaryLatencyBucketsItem]


SummaryStep = TypedDict(
    "SummaryStep",
    {
        "starts_at": "str",
        "GO": "int",
        "DEGRADED": "int",
        "NO-GO": "int",
        "average_score": "float | None",
    },
)


class SupportedCorridorPartnersItem(TypedDict):
    partner: str
    name: str


class SupportedCorridor(TypedDict):
    corridor: str
    settlement_currency: str | None
    currencies: list[str]
    partners: list[SupportedCorridorPartnersItem]
    has_calendar: bool


class SuspensionEventData(TypedDict):
    webhook_id: str
    """The endpoint that is suspended."""
    failing_since: str
    """The first of the failed attempts; none was delivered since."""
    suspended_at: str
    """ISO 8601, UTC."""


class TestEvent(TypedDict):
    event: Literal["webhook.test"]
    event_id: str
    """The same for every attempt. Use it to detect duplicates."""
    created_at: str
    """ISO 8601, UTC."""
    attempt: int
    """Also in the header `X-SVC-Attempt`."""
    data: TestEventData


class TestEventData(TypedDict):
    webhook_id: str
    message: str


class TestedWebhook(TypedDict):
    """The test event is queued. The deliveries of the endpoint show its result."""

    webhook_id: str
    event_id: str
    event: Literal["webhook.test"]
    status: Literal["pending"]
    created_at: str
    """ISO 8601, UTC."""


class TimelineEventsItem(TypedDict):
    event: Literal[
        "request_received",
        "key_authenticated",
        "request_validated",
        "idempotency_checked",
        "cooldown_checked",
        "signals_evaluated",
        "score_computed",
        "policy_applied",
        "reasons_derived",
        "record_prepared",
    ]
    time: str
    """ISO 8601, UTC, to the microsecond."""
    duration_ms: float
    """Time since the previous event."""


class TimelineCooldownOwnEventsItem(TypedDict):
    event: Literal[
        "request_received",
        "key_authenticated",
        "request_validated",
        "idempotency_checked",
        "cooldown_checked",
        "signals_evaluated",
        "score_computed",
        "policy_applied",
        "reasons_derived",
        "record_prepared",
    ]
    time: str
    """ISO 8601, UTC, to the microsecond."""
    duration_ms: float
    """Time since the previous event."""


class TimelineCooldown(TypedDict):
    """For a record that repeats another: `events` are those of the original, `own_events` those of this record."""

    source_request_id: str
    """The record of the original decision, which has the counterfactuals."""
    own_events: list[TimelineCooldownOwnEventsItem]
    own_total_duration_ms: float


class _TimelineRequired(TypedDict):
    request_id: str
    events: list[TimelineEventsItem]
    total_duration_ms: float
    """The sum of the durations."""


class Timeline(_TimelineRequired, total=False):
    """The ten timed events of the decision."""

    cooldown: TimelineCooldown
    """For a record that repeats another: `events` are those of the original, `own_events` those of this record."""


class _TransactionRequired(TypedDict):
    corridor: str
    """FROM-TO: two-letter codes in any case (`GB-NG`), three-letter codes, or country names."""


class Transaction(_TransactionRequired, total=False):
    id: Any
    """Unique in the batch. Rows without an id receive one."""
    amount: Number
    """In units of the currency. A missing amount is not zero."""
    currency: Any
    """ISO 4217. Defaults to `GBP`."""
    actual_outcome: PaymentOutcome | None
    timestamp: Any
    """When the payment was made: an ISO 8601 date or date-time."""
    rail: Any
    """The payment rail. Does not affect the assessment."""


class Verification(TypedDict):
    request_id: str
    corridor: str
    decision: Decision
    score: float
    confidence: float
    amount: float | None
    currency: str
    """The currency of the request, as in `request_currency`."""
    request_currency: str
    """The currency of the request."""
    settlement_currency: str | None
    mode: Mode
    evaluated_at: str
    """ISO 8601, UTC."""
    correlation_id: str | None
    reason_codes: list[ReasonCode]
    recommended_action: RecommendedAction
    human_override: Override | None
    """Null until the decision is overridden."""
    outcome: ReportedOutcome | None
    """Null until an outcome is reported."""
    cooldown_source_request_id: str | None
    recorded_at: str
    """The history is sorted by this time."""


VerificationsSummaryDecisions = TypedDict(
    "VerificationsSummaryDecisions",
    {
        "GO": "int",
        "DEGRADED": "int",
        "NO-GO": "int",
    },
)


VerificationsSummaryScoresItem = TypedDict(
    "VerificationsSummaryScoresItem",
    {
        "from": "float",
        "to": "float",
        "count": "int",
    },
)


class VerificationsSummaryReasonsItem(TypedDict):
    code: ReasonCode
    count: int


VerificationsSummary = TypedDict(
    "VerificationsSummary",
    {
        "from": "str",
        "to": "str",
        "step": "Literal[\"hour\", \"day\"]",
        "time_zone": "str",
        "generated_at": "str",
        "total": "int",
        "decisions": "VerificationsSummaryDecisions",
        "average_score": "float | None",
        "average_confidence": "float | None",
        "cooldown_hits": "int",
        "series": "list[SummaryStep]",
        "scores": "list[VerificationsSummaryScoresItem]",
        "reasons": "list[VerificationsSummaryReasonsItem]",
        "corridors": "list[SummaryCorridor]",
        "corridors_total": "int",
        "latency_ms": "SummaryLatency",
    },
)


VerificationsTotalsByCurrencyItemDecisions = TypedDict(
    "VerificationsTotalsByCurrencyItemDecisions",
    {
        "GO": "int",
        "DEGRADED": "int",
        "NO-GO": "int",
    },
)


class VerificationsTotalsByCurrencyItem(TypedDict):
    currency: str
    """The currency of the requests."""
    records: int
    amount: float
    """The sum of the amounts; a record without one adds nothing."""
    decisions: VerificationsTotalsByCurrencyItemDecisions


class VerificationsTotals(TypedDict):
    records: int
    complete: bool
    """False if there are older records that were not looked at."""
    by_currency: list[VerificationsTotalsByCurrencyItem]
    """Most records first."""


class _VerifyRequestRequired(TypedDict):
    corridor: str
    """FROM-TO: two-letter codes in any case (`GB-NG`), three-letter codes, or country names."""


class VerifyRequest(_VerifyRequestRequired, total=False):
    amount: Number
    """In units of the currency. A missing amount is not zero."""
    currency: Any
    """ISO 4217. Defaults to `GBP`."""
    idempotency_key: Any
    """A unique key for this payment, such as a UUID. May be sent in the header `Idempotency-Key` instead."""
    correlation_id: Any
    """Your own reference. Echoed and stored with the record."""


class VerifyResponseSettlementWindow(TypedDict):
    """The open window of the settlement calendar, or the next one. Null if the calendar is expired. Absent without
    a calendar.
    """

    open: bool
    opens_at: str | None
    cut_off_at: str | None


class VerifyResponsePolicyVersion(TypedDict):
    """The ids of the policies that it was decided under; null if there was none."""

    owner: str | None
    installation: str | None


class VerifyResponseCooldown(TypedDict):
    """Present if a recent NO-GO of this corridor was returned without recomputation."""

    source_request_id: str
    expires_at: str
    """ISO 8601, UTC."""


class _VerifyResponseRequired(TypedDict):
    decision: Decision
    score: float
    confidence: float
    """Independent of the score."""
    recommended_action: RecommendedAction
    recommended_partner: str | None
    reasons: list[Reason]
    reason_codes: list[ReasonCode]
    """For older integrations. Prefer `reasons`."""
    request_id: str
    evaluated_at: str
    """ISO 8601, UTC."""
    timestamp: str
    """ISO 8601, UTC."""
    corridor: str
    corridor_supported: bool
    validation_note: str
    currency: str | None
    mode: Mode
    environment: Literal["sandbox", "production"]
    volatility: float
    """Standard deviation of the corridor's recent scores."""
    probe_count: int
    """Number of signals evaluated."""
    signals: SignalValues
    probe_details: ProbeDetails
    decision_model: str
    api_version: str
    idempotency_hit: bool
    """True if this is the stored answer of an earlier request with the same idempotency key."""
    response_ms: int
    """Server-side processing time in milliseconds."""


class VerifyResponse(_VerifyResponseRequired, total=False):
    """The decision and its evidence."""

    correlation_id: str
    valid_until: str
    """Verify again after this. Earlier if the settlement window closes. Absent in replays of old records."""
    settlement_window: VerifyResponseSettlementWindow | None
    amount: float | None
    request_currency: str
    """The currency of the request. Absent in replays of old records."""
    policy_version: VerifyResponsePolicyVersion | None
    warnings: list[Warning]
    """Unknown members of the body, which were ignored, country codes that ISO 3166 has not assigned, and an
    expired settlement calendar. Absent if there are none.
    """
    cooldown: VerifyResponseCooldown
    """Present if a recent NO-GO of this corridor was returned without recomputation."""


class _WarningRequired(TypedDict):
    code: Literal["UNKNOWN_MEMBER", "UNKNOWN_COUNTRY", "CALENDAR_EXPIRED"]
    message: str


class Warning(_WarningRequired, total=False):
    path: str
    """JSON pointer into the body. Absent if it is not about a member."""


class Webhook(TypedDict):
    """An endpoint, without its secret."""

    webhook_id: str
    url: str
    events: list[Literal[
        "payment.decision.created",
        "payment.override.created",
        "corridor.status.changed",
        "payment.review.opened",
        "payment.review.closed",
        "webhook.endpoint.suspended",
    ]]
    """The subscribed event kinds."""
    description: str | None
    status: Literal["active", "suspended"]
    """`suspended`: every attempt of seven days failed. Nothing is sent until you send a test event or events
    again.
    """
    suspended_at: str | None
    failing_since: str | None
    created_at: str
    """ISO 8601, UTC."""
    health: WebhookHealth


class WebhookHealth(TypedDict):
    """From the newest 100 events of the endpoint."""

    state: Literal["healthy", "failing", "idle"]
    """`failing`: the last 3 attempts or more have failed, or it is suspended. `idle`: nothing was sent."""
    events: int
    """Events with at least one attempt."""
    delivered: int
    dropped: int
    waiting: int
    """Events that are to be sent, or to be sent again."""
    success_rate: float | None
    failures_in_a_row: int
    last_attempt_at: str | None
    last_delivered_at: str | None


class _WebhookRequestRequired(TypedDict):
    url: str
    """An https URL with a public address. Events are sent to it by POST."""


class WebhookRequest(_WebhookRequestRequired, total=False):
    events: Any
    """The event kinds to subscribe to. Defaults to decisions and overrides. `corridor.status.changed` needs a live
    key.
    """
    description: Any
    """Your own description of the endpoint."""


class StreamedDecisionEvent(TypedDict):
    specversion: Literal["1.0"]
    """CloudEvents 1.0."""
    id: str
    """That of the webhook. Also a cursor: the events after this one."""
    source: str
    """The installation, by the name of its log."""
    type: Literal["payment.decision.created"]
    subject: str
    """The `request_id`; of `corridor.status.changed`, the corridor."""
    time: str
    """ISO 8601, UTC."""
    data: DecisionEventData | None


class StreamedOverrideEvent(TypedDict):
    specversion: Literal["1.0"]
    """CloudEvents 1.0."""
    id: str
    """That of the webhook. Also a cursor: the events after this one."""
    source: str
    """The installation, by the name of its log."""
    type: Literal["payment.override.created"]
    subject: str
    """The `request_id`; of `corridor.status.changed`, the corridor."""
    time: str
    """ISO 8601, UTC."""
    data: Override | None


class StreamedStatusEvent(TypedDict):
    specversion: Literal["1.0"]
    """CloudEvents 1.0."""
    id: str
    """That of the webhook. Also a cursor: the events after this one."""
    source: str
    """The installation, by the name of its log."""
    type: Literal["corridor.status.changed"]
    subject: str
    """The `request_id`; of `corridor.status.changed`, the corridor."""
    time: str
    """ISO 8601, UTC."""
    data: StatusEventData | None


class StreamedReviewOpenedEvent(TypedDict):
    specversion: Literal["1.0"]
    """CloudEvents 1.0."""
    id: str
    """That of the webhook. Also a cursor: the events after this one."""
    source: str
    """The installation, by the name of its log."""
    type: Literal["payment.review.opened"]
    subject: str
    """The `request_id`; of `corridor.status.changed`, the corridor."""
    time: str
    """ISO 8601, UTC."""
    data: ReviewEventData | None


class StreamedReviewClosedEvent(TypedDict):
    specversion: Literal["1.0"]
    """CloudEvents 1.0."""
    id: str
    """That of the webhook. Also a cursor: the events after this one."""
    source: str
    """The installation, by the name of its log."""
    type: Literal["payment.review.closed"]
    subject: str
    """The `request_id`; of `corridor.status.changed`, the corridor."""
    time: str
    """ISO 8601, UTC."""
    data: ReviewEventData | None


class FollowerState(TypedDict):
    """How far a follower of the journal is."""

    name: str
    lag_entries: int
    """Entries that it has not passed."""
    lag_seconds: float
    """Age of the oldest of them."""
    failing: bool
    """Whether its last run failed, on the instance that answers."""


class Ready(TypedDict):
    status: Literal["ready"]
    followers: list[FollowerState]


StreamedEvent = Union[
    StreamedDecisionEvent,
    StreamedOverrideEvent,
    StreamedStatusEvent,
    StreamedReviewOpenedEvent,
    StreamedReviewClosedEvent,
]
"""An event of the stream. Its `id` is a cursor."""


WebhookEvent = Union[
    DecisionEvent,
    OverrideEvent,
    StatusEvent,
    EndpointSuspendedEvent,
    ReviewOpenedEvent,
    ReviewClosedEvent,
    TestEvent,
]
"""An event sent to a receiver."""
