"""The methods of the clients. Generated from docs/openapi.json by `npm run generate`. Do not edit."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, AsyncIterator, Iterator, Literal, TypeVar

from ._listing import AsyncListing, Listing
from ._request import Request, path

if TYPE_CHECKING:
    from . import types

T = TypeVar("T")


class Operations(ABC):
    """The operations of the API."""

    @abstractmethod
    def _send(self, request: Request[T]) -> T: ...

    @abstractmethod
    def _list(self, request: Request[Any], member: str) -> Listing[Any]: ...

    @abstractmethod
    def _export(self, request: Request[Any]) -> Iterator[str]: ...

    def health(self) -> types.Health:
        """Check the health of the service."""
        request: Request[types.Health] = Request("GET", "/api/health", needs_key=False)
        return self._send(request)

    def methodology(self) -> types.Methodology:
        """Get the scoring methodology."""
        request: Request[types.Methodology] = Request("GET", "/api/v1/methodology", needs_key=False)
        return self._send(request)

    def verifications(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        decision: types.Decision | None = None,
        corridor: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        correlation_id: str | None = None,
        mode: types.Mode | None = None,
        reason: types.ReasonCode | None = None,
        currency: str | None = None,
        amount_min: types.Number | None = None,
        amount_max: types.Number | None = None,
        override: bool | None = None,
        outcome: Literal["COMPLETED", "FAILED", "DELAYED", "REJECTED", "PENDING", "none"] | None = None,
    ) -> Listing[types.Verification]:
        """List your decisions, newest first."""
        request: Request[Any] = Request(
            "GET",
            "/api/verifications",
            query={
                "limit": limit,
                "cursor": cursor,
                "decision": decision,
                "corridor": corridor,
                "from": from_,
                "to": to,
                "correlation_id": correlation_id,
                "mode": mode,
                "reason": reason,
                "currency": currency,
                "amount_min": amount_min,
                "amount_max": amount_max,
                "override": override,
                "outcome": outcome,
            },
        )
        return self._list(request, "")

    def export_verifications(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        decision: types.Decision | None = None,
        corridor: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        correlation_id: str | None = None,
        mode: types.Mode | None = None,
        reason: types.ReasonCode | None = None,
        currency: str | None = None,
        amount_min: types.Number | None = None,
        amount_max: types.Number | None = None,
        override: bool | None = None,
        outcome: Literal["COMPLETED", "FAILED", "DELAYED", "REJECTED", "PENDING", "none"] | None = None,
    ) -> Iterator[str]:
        """List your decisions, newest first, as CSV: chunks of complete lines, of which the first begins with the
        header.
        """
        request: Request[Any] = Request(
            "GET",
            "/api/verifications",
            query={
                "limit": limit,
                "cursor": cursor,
                "decision": decision,
                "corridor": corridor,
                "from": from_,
                "to": to,
                "correlation_id": correlation_id,
                "mode": mode,
                "reason": reason,
                "currency": currency,
                "amount_min": amount_min,
                "amount_max": amount_max,
                "override": override,
                "outcome": outcome,
            },
        )
        return self._export(request)

    def verifications_totals(
        self,
        *,
        decision: types.Decision | None = None,
        corridor: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        correlation_id: str | None = None,
        mode: types.Mode | None = None,
        reason: types.ReasonCode | None = None,
        currency: str | None = None,
        amount_min: types.Number | None = None,
        amount_max: types.Number | None = None,
        override: bool | None = None,
        outcome: Literal["COMPLETED", "FAILED", "DELAYED", "REJECTED", "PENDING", "none"] | None = None,
    ) -> types.VerificationsTotals:
        """Sum your decisions by currency. The number, the amounts and the decisions of the records that match, by
        currency of the request. Sums are exact, and rounded once to a number. It looks at the newest 10,000
        records at most; `complete` is false if there are older ones. Not part of the original contract.
        """
        request: Request[types.VerificationsTotals] = Request(
            "GET",
            "/api/v1/verifications/totals",
            query={
                "decision": decision,
                "corridor": corridor,
                "from": from_,
                "to": to,
                "correlation_id": correlation_id,
                "mode": mode,
                "reason": reason,
                "currency": currency,
                "amount_min": amount_min,
                "amount_max": amount_max,
                "override": override,
                "outcome": outcome,
            },
        )
        return self._send(request)

    def verifications_summary(
        self,
        *,
        from_: str | None = None,
        to: str | None = None,
        corridor: str | None = None,
        mode: types.Mode | None = None,
        time_zone: str | None = None,
    ) -> types.VerificationsSummary:
        """Summarise your decisions over a period. Decisions over time, with counts, scores, reasons, corridors and
        latency. Exact: each decision is counted in the transaction that records it. Defaults to the last 24
        hours. The range is widened to full hours of recording time; `from` and `to` in the response show what
        it covers. Not part of the original contract.
        """
        request: Request[types.VerificationsSummary] = Request(
            "GET",
            "/api/v1/verifications/summary",
            query={"from": from_, "to": to, "corridor": corridor, "mode": mode, "time_zone": time_zone},
        )
        return self._send(request)

    def search(self, q: str) -> types.SearchResults:
        """Find an id or a correlation id. Finds one id exactly: of a decision, override, outcome, review, event,
        policy, backtest, kept report or webhook; or the newest ten decisions with a correlation id. Only what
        the caller may read: reviews, policies with their backtests, and webhooks need their scopes, and an id
        of another owner is unknown. Not part of the original contract.
        """
        request: Request[types.SearchResults] = Request("GET", "/api/v1/search", query={"q": q})
        return self._send(request)

    def audit(self, request_id: str) -> types.AuditRecord:
        """Get the record of a decision."""
        request: Request[types.AuditRecord] = Request("GET", path("/api/v1/audit/{}", request_id))
        return self._send(request)

    def audit_proof(self, id: str) -> types.AuditProof:
        """Prove that a record is in the log. Hash paths (RFC 6962) from the record and its override to the root
        that the checkpoint signs. With a stored checkpoint you can prove later that neither was changed.
        """
        request: Request[types.AuditProof] = Request("GET", path("/api/v1/audit/{}/proof", id))
        return self._send(request)

    def audit_checkpoint(self, *, from_: int | None = None) -> types.CheckpointAnswer:
        """Get the latest checkpoint of the log. Public. With `from`, also returns the proof that the log still
        contains everything that the earlier checkpoint signed.
        """
        request: Request[types.CheckpointAnswer] = Request(
            "GET",
            "/api/v1/audit/checkpoint",
            query={"from": from_},
            needs_key=False,
        )
        return self._send(request)

    def override(self, body: types.OverrideRequest) -> types.OverrideResponse:
        """Record a human override of a decision. For `DEGRADED` and `NO-GO`, once per decision; the same override
        again gets the first answer. The decision does not change; the override is recorded permanently and sent
        as `payment.override.created`.
        """
        request: Request[types.OverrideResponse] = Request(
            "POST",
            "/api/v1/override",
            body=body,
            has_effect=True,
        )
        return self._send(request)

    def report_outcome(self, id: str, body: types.OutcomeRequest) -> types.OutcomeResponse:
        """Report the outcome of a payment. Once per decision; the same report again gets the first answer. Audit
        and history show the outcome with the decision, which does not change. Live mode can compute its failure
        rate from these reports.
        """
        request: Request[types.OutcomeResponse] = Request(
            "POST",
            path("/api/v1/decision/{}/outcome", id),
            body=body,
            has_effect=True,
        )
        return self._send(request)

    def explain_decision(self, id: str) -> types.Explanation:
        """Explain a decision. The factors of the composite, the penalty and rounding that lead to the score, the
        policy gate, the rules of policies that fired, and counterfactuals computed by the same engine.
        """
        request: Request[types.Explanation] = Request("GET", path("/api/v1/decision/{}/explanation", id))
        return self._send(request)

    def decision_impact(self, id: str) -> types.Impact:
        """Get the impact of a decision on risk. If the decision was overridden, the impact reflects the override."""
        request: Request[types.Impact] = Request("GET", path("/api/v1/decision/{}/impact", id))
        return self._send(request)

    def decision_timeline(self, id: str) -> types.Timeline:
        """Get the timeline of a decision. Ten events, timed during the decision. The durations add up to the
        total.
        """
        request: Request[types.Timeline] = Request("GET", path("/api/v1/decision/{}/timeline", id))
        return self._send(request)

    def signal_provenance(self, decision_id: str) -> types.SignalProvenance:
        """Get the signal provenance of a decision. Each signal with its value, source and confidence."""
        request: Request[types.SignalProvenance] = Request("GET", path("/api/v1/signals/{}", decision_id))
        return self._send(request)

    def decision_file(self, id: str) -> types.DecisionFile:
        """Get all that is known about a decision. The record, explanation, provenance, timeline, impact, review,
        webhook deliveries and proof of a decision, as their own endpoints show them. A member that needs a
        scope the caller lacks is null, and listed in `withheld`.
        """
        request: Request[types.DecisionFile] = Request("GET", path("/api/v1/decision/{}/file", id))
        return self._send(request)

    def corridors(self) -> types.CorridorList:
        """List the supported corridors. Those of the key's mode: simulated ones for a test key, declared ones for
        a live key.
        """
        request: Request[types.CorridorList] = Request("GET", "/api/v1/corridors")
        return self._send(request)

    def corridor_health(self, corridor: str, *, amount: types.Number | None = None) -> types.CorridorHealth:
        """Get the health of a corridor. Computed from its signals, for typical payments or for a given amount.
        With a live key it also has the declared partners, their feeds and the last 24 hours. Nothing is stored.
        A corridor without data is DEGRADED, with an advisory.
        """
        request: Request[types.CorridorHealth] = Request(
            "GET",
            path("/api/v1/corridors/{}", corridor),
            query={"amount": amount},
        )
        return self._send(request)

    def corridor_calendar(self, corridor: str) -> types.CorridorCalendar:
        """Get the settlement calendar of a corridor. For a live key, where a calendar is declared; otherwise 404."""
        request: Request[types.CorridorCalendar] = Request(
            "GET",
            path("/api/v1/corridors/{}/calendar", corridor),
        )
        return self._send(request)

    def replay(self, body: types.ReplayRequest) -> types.ReplayResponse:
        """Assess a past payment. Uses simulated signals, whatever the key; test amounts have no effect, and no
        policy acts on it. With `actual_outcome`, also reports whether a verification would have helped.
        """
        request: Request[types.ReplayResponse] = Request("POST", "/api/v1/replay", body=body)
        return self._send(request)

    def readiness(self) -> types.Readiness:
        """Get the readiness checklist of this instance."""
        request: Request[types.Readiness] = Request("GET", "/api/v1/readiness", needs_key=False)
        return self._send(request)

    def signal_status(self) -> types.SignalStatus:
        """Get the status of the signal feeds."""
        request: Request[types.SignalStatus] = Request("GET", "/api/v1/status/signals", needs_key=False)
        return self._send(request)

    def cip_status(self) -> types.CipStatus:
        """Get the status of the Corridor Intelligence Platform."""
        request: Request[types.CipStatus] = Request("GET", "/api/v1/cip/status", needs_key=False)
        return self._send(request)

    def live_feeds(self) -> types.FeedList:
        """List the live feeds and their states. As seen by this instance, without values. A GET of a corridor
        reads its feeds anew. Empty for a test key.
        """
        request: Request[types.FeedList] = Request("GET", "/api/v1/feeds")
        return self._send(request)

    def organisation_settings(self) -> types.OrganisationSettings:
        """Get the permissions, limits and usage of the calling key."""
        request: Request[types.OrganisationSettings] = Request("GET", "/api/v1/organisation/settings")
        return self._send(request)

    def register_webhook(self, body: types.WebhookRequest) -> types.RegisteredWebhook:
        """Register an endpoint for events. At most 20 per owner. The secret is shown only in this response."""
        request: Request[types.RegisteredWebhook] = Request(
            "POST",
            "/api/v1/webhooks",
            body=body,
            has_effect=True,
        )
        return self._send(request)

    def webhooks(self) -> list[types.Webhook]:
        """List your endpoints."""
        request: Request[list[types.Webhook]] = Request("GET", "/api/v1/webhooks")
        return self._send(request)

    def webhook(self, webhook_id: str) -> types.Webhook:
        """Get an endpoint."""
        request: Request[types.Webhook] = Request("GET", path("/api/v1/webhooks/{}", webhook_id))
        return self._send(request)

    def remove_webhook(self, webhook_id: str) -> types.RemovedWebhook:
        """Remove an endpoint. Pending events are not sent. An attempt in progress may still arrive."""
        request: Request[types.RemovedWebhook] = Request(
            "DELETE",
            path("/api/v1/webhooks/{}", webhook_id),
            has_effect=True,
        )
        return self._send(request)

    def rotate_webhook_secret(self, webhook_id: str) -> types.RotatedWebhook:
        """Rotate the secret of an endpoint. For 24 hours, `webhook-signature` contains signatures with both the
        old and the new secret. `X-SVC-Signature` uses the new secret at once.
        """
        request: Request[types.RotatedWebhook] = Request(
            "POST",
            path("/api/v1/webhooks/{}/rotate-secret", webhook_id),
            has_effect=True,
        )
        return self._send(request)

    def test_webhook(self, webhook_id: str) -> types.TestedWebhook:
        """Send a test event to an endpoint. Sends a `webhook.test` event, signed and retried like any other."""
        request: Request[types.TestedWebhook] = Request(
            "POST",
            path("/api/v1/webhooks/{}/test", webhook_id),
            has_effect=True,
        )
        return self._send(request)

    def webhook_deliveries(
        self,
        webhook_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        status: Literal["dropped", "suspended"] | None = None,
    ) -> Listing[types.Delivery]:
        """List the deliveries of an endpoint."""
        request: Request[Any] = Request(
            "GET",
            path("/api/v1/webhooks/{}/deliveries", webhook_id),
            query={"limit": limit, "cursor": cursor, "status": status},
        )
        return self._list(request, "")

    def webhook_delivery(self, webhook_id: str, event_id: str) -> types.DeliveryDetail:
        """Show a delivery: its body and the answers. The body as an attempt would send it now, and the first 1,000
        bytes of each answer of the receiver.
        """
        request: Request[types.DeliveryDetail] = Request(
            "GET",
            path("/api/v1/webhooks/{}/deliveries/{}", webhook_id, event_id),
        )
        return self._send(request)

    def resend_delivery(self, webhook_id: str, event_id: str) -> types.ResentDelivery:
        """Send an event again. One further attempt is made at once, whatever became of the event; the receiver
        sees the same `event_id`. At most 50 attempts per event.
        """
        request: Request[types.ResentDelivery] = Request(
            "POST",
            path("/api/v1/webhooks/{}/deliveries/{}/resend", webhook_id, event_id),
            has_effect=True,
        )
        return self._send(request)

    def resend_deliveries(self, webhook_id: str, body: types.ResendRequest) -> types.ResentEvents:
        """Send the failed events of an endpoint again. Sends again what was dropped or suspended in that time,
        oldest first and with the same `event_id`: one further attempt for each dropped event, all five for each
        that was not tried. Ends a suspension. At most 50 attempts per event.
        """
        request: Request[types.ResentEvents] = Request(
            "POST",
            path("/api/v1/webhooks/{}/resend", webhook_id),
            body=body,
            has_effect=True,
        )
        return self._send(request)

    def request_access(self, body: types.AccessRequest) -> types.AccessResponse:
        """Request access and receive a sandbox key. The sandbox key has its own owner and all scopes except
        policy:approve and review:approve, and does not expire. An operator reviews the request; a live key is
        delivered separately. A request changes no existing key.
        """
        request: Request[types.AccessResponse] = Request(
            "POST",
            "/api/v1/request-access",
            body=body,
            needs_key=False,
            has_effect=True,
        )
        return self._send(request)

    def me(self) -> types.Me:
        """Show who calls, and what the caller may do."""
        request: Request[types.Me] = Request("GET", "/api/v1/me")
        return self._send(request)

    def demo_verify(self, body: types.DemoVerifyRequest | None = None) -> types.DemoVerifyResponse:
        """Try a verification without a key. A decision on synthetic signals, not stored. Send synthetic values
        only. Test amounts take effect, except `.09`. No policy acts on it.
        """
        request: Request[types.DemoVerifyResponse] = Request(
            "POST",
            "/api/v1/demo-verify",
            body=body or {},
            needs_key=False,
        )
        return self._send(request)

    def demo_compare(self, body: types.DemoCompareRequest) -> types.DemoCompareResponse:
        """Compare the risk profiles on one payment without a key. Compares one score with three thresholds. Unlike
        in a verification, the cap of 50,000 does not apply; the cap of 500,000 and the rule for unsupported
        corridors do. With an amount of 85000 the profiles differ, with 15000 they agree. Test amounts have no
        effect. No policy acts on it.
        """
        request: Request[types.DemoCompareResponse] = Request(
            "POST",
            "/api/v1/demo-compare",
            body=body,
            needs_key=False,
        )
        return self._send(request)

    def compare_partners(self, body: types.PartnerRankingRequest) -> types.PartnerRankingResponse:
        """Rank partners for a payment. With a test key on simulated signals, without test amounts. With a live key
        the declared partners of the corridor, by their feeds, fees and policies, as verify ranks them. Policies
        do not act on simulated partners.
        """
        request: Request[types.PartnerRankingResponse] = Request("POST", "/api/v1/decision/compare", body=body)
        return self._send(request)

    def create_policy(self, body: types.PolicyDocument) -> types.PaymentPolicy:
        """Create a policy as a draft. It decides nothing until it is promoted by another principal. At most 1000
        per owner. Policies act on verify in both modes and on live ranking. The demo, batches, replay and the
        ranking of simulated partners stay the contract's.
        """
        request: Request[types.PaymentPolicy] = Request("POST", "/api/v1/policies", body=body, has_effect=True)
        return self._send(request)

    def policies(
        self,
        *,
        status: Literal["draft", "candidate", "active", "retired"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> types.PolicyList:
        """List your policies, newest first. Follow `next_cursor`, or `Link: <…>; rel="next"`, until there is none."""
        request: Request[types.PolicyList] = Request(
            "GET",
            "/api/v1/policies",
            query={"status": status, "limit": limit, "cursor": cursor},
        )
        return self._send(request)

    def check_policy(self, body: types.PolicyDocument, *, request_id: str | None = None) -> types.PolicyCheck:
        """Check a document, and try it on a decision. For editors and pipelines. Nothing is stored, and a faulty
        document is a result, not an error.
        """
        request: Request[types.PolicyCheck] = Request(
            "POST",
            "/api/v1/policies/check",
            query={"request_id": request_id},
            body=body,
        )
        return self._send(request)

    def policy_variables(self) -> types.PolicyVariables:
        """List what an expression may use."""
        request: Request[types.PolicyVariables] = Request("GET", "/api/v1/policies/variables")
        return self._send(request)

    def policy(self, policy_id: str) -> types.PaymentPolicy:
        """Show a policy."""
        request: Request[types.PaymentPolicy] = Request("GET", path("/api/v1/policies/{}", policy_id))
        return self._send(request)

    def policy_report(self, policy_id: str) -> types.PolicyCandidateReport:
        """Report of a candidate. The decisions since the policy became the candidate, each decided again under it."""
        request: Request[types.PolicyCandidateReport] = Request(
            "GET",
            path("/api/v1/policies/{}/report", policy_id),
        )
        return self._send(request)

    def make_policy_candidate(self, policy_id: str) -> types.PaymentPolicy:
        """Make a policy the candidate. From now on it is evaluated beside the active one on every new decision,
        which it does not change. A candidate before it is a draft again.
        """
        request: Request[types.PaymentPolicy] = Request(
            "POST",
            path("/api/v1/policies/{}/candidate", policy_id),
            has_effect=True,
        )
        return self._send(request)

    def promote_policy(self, policy_id: str, body: types.PolicyReason) -> types.PolicyResponse:
        """Put a policy in force. By another principal than the one who wrote it. It takes effect on every instance
        within a second.
        """
        request: Request[types.PolicyResponse] = Request(
            "POST",
            path("/api/v1/policies/{}/promote", policy_id),
            body=body,
            has_effect=True,
        )
        return self._send(request)

    def roll_back_policy(self, body: types.PolicyReason) -> types.PolicyRollback:
        """Take the active policy out of force. The one that was active before, or none, is active again. A second
        rollback goes one further back.
        """
        request: Request[types.PolicyRollback] = Request(
            "POST",
            "/api/v1/policies/rollback",
            body=body,
            has_effect=True,
        )
        return self._send(request)

    def start_backtest(self, policy_id: str, body: types.PolicyBacktestRequest) -> types.PolicyBacktestResponse:
        """Decide a stretch of history again under a policy. Runs beside the decisions and changes nothing. At most
        3 per owner at a time.
        """
        request: Request[types.PolicyBacktestResponse] = Request(
            "POST",
            path("/api/v1/policies/{}/backtest", policy_id),
            body=body,
            has_effect=True,
        )
        return self._send(request)

    def backtests(self, policy_id: str) -> types.PolicyBacktestList:
        """List the backtests of a policy."""
        request: Request[types.PolicyBacktestList] = Request(
            "GET",
            path("/api/v1/policies/{}/backtests", policy_id),
        )
        return self._send(request)

    def backtest(self, policy_id: str, backtest_id: str) -> types.PolicyBacktest:
        """Show the progress and the report of a backtest."""
        request: Request[types.PolicyBacktest] = Request(
            "GET",
            path("/api/v1/policies/{}/backtests/{}", policy_id, backtest_id),
        )
        return self._send(request)

    def cancel_backtest(self, policy_id: str, backtest_id: str) -> types.PolicyBacktest:
        """Cancel a backtest. It ends within a moment. One that has ended stays as it is."""
        request: Request[types.PolicyBacktest] = Request(
            "DELETE",
            path("/api/v1/policies/{}/backtests/{}", policy_id, backtest_id),
            has_effect=True,
        )
        return self._send(request)

    def calibration(
        self,
        *,
        from_: str | None = None,
        to: str | None = None,
        mode: types.Mode | None = None,
        corridor: str | None = None,
    ) -> types.Calibration:
        """Compare scores with how payments ended. A score predicts that a payment fails with a probability of 1 −
        score. The Brier score, the reliability by predicted probability and the failure rate by signal say
        whether that came about, over your decisions with a final outcome. Exact, and read from counts that are
        kept by day.
        """
        request: Request[types.Calibration] = Request(
            "GET",
            "/api/v1/calibration",
            query={"from": from_, "to": to, "mode": mode, "corridor": corridor},
        )
        return self._send(request)

    def reviews(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        status: str | None = None,
        corridor: str | None = None,
        decision: types.Decision | None = None,
        mode: types.Mode | None = None,
        claimed_by: Literal["me", "nobody"] | None = None,
        overdue: bool | None = None,
    ) -> Listing[types.Review]:
        """List reviews, oldest due first."""
        request: Request[Any] = Request(
            "GET",
            "/api/v1/reviews",
            query={
                "limit": limit,
                "cursor": cursor,
                "status": status,
                "corridor": corridor,
                "decision": decision,
                "mode": mode,
                "claimed_by": claimed_by,
                "overdue": overdue,
            },
        )
        return self._list(request, "reviews")

    def review_summary(self, *, mode: types.Mode | None = None) -> types.ReviewSummary:
        """Count the reviews and the money that wait."""
        request: Request[types.ReviewSummary] = Request("GET", "/api/v1/reviews/summary", query={"mode": mode})
        return self._send(request)

    def review(self, review_id: str) -> types.ReviewDetail:
        """Show a review and its history."""
        request: Request[types.ReviewDetail] = Request("GET", path("/api/v1/reviews/{}", review_id))
        return self._send(request)

    def claim_review(self, review_id: str) -> types.ReviewResponse:
        """Claim a review. One claim wins. Your own again gets the same answer; that of another is 409."""
        request: Request[types.ReviewResponse] = Request(
            "POST",
            path("/api/v1/reviews/{}/claim", review_id),
            has_effect=True,
        )
        return self._send(request)

    def release_review(self, review_id: str) -> types.ReviewResponse:
        """Give a review back to the queue. Your own; a proposal of yours is withdrawn. An approver may also
        release what another has claimed.
        """
        request: Request[types.ReviewResponse] = Request(
            "POST",
            path("/api/v1/reviews/{}/release", review_id),
            has_effect=True,
        )
        return self._send(request)

    def comment_review(self, review_id: str, body: types.ReviewCommentRequest) -> types.ReviewResponse:
        """Comment on a review. At most 100 comments; each is recorded permanently."""
        request: Request[types.ReviewResponse] = Request(
            "POST",
            path("/api/v1/reviews/{}/comment", review_id),
            body=body,
            has_effect=True,
        )
        return self._send(request)

    def propose_review(self, review_id: str, body: types.ReviewProposeRequest) -> types.ReviewResponse:
        """Propose what to do instead. Also claims a review that nobody has. Nothing happens to the decision until
        another principal approves.
        """
        request: Request[types.ReviewResponse] = Request(
            "POST",
            path("/api/v1/reviews/{}/propose", review_id),
            body=body,
            has_effect=True,
        )
        return self._send(request)

    def approve_review(
        self,
        review_id: str,
        body: types.ReviewApproveRequest | None = None,
    ) -> types.ReviewResponse:
        """Approve a proposal. By another principal than the one who proposed. Records the override with both
        names; for a `GO`, which cannot be overridden, the resolution alone.
        """
        request: Request[types.ReviewResponse] = Request(
            "POST",
            path("/api/v1/reviews/{}/approve", review_id),
            body=body or {},
            has_effect=True,
        )
        return self._send(request)

    def reject_review(self, review_id: str, body: types.ReviewRejectRequest) -> types.ReviewResponse:
        """Reject a proposal. By another principal than the one who proposed. The review is open again for another
        proposal.
        """
        request: Request[types.ReviewResponse] = Request(
            "POST",
            path("/api/v1/reviews/{}/reject", review_id),
            body=body,
            has_effect=True,
        )
        return self._send(request)

    def holds(self, *, mode: types.Mode | None = None, hours: int | None = None) -> types.Holds:
        """Count requests that were held, by reason. A request to verify that is answered with 503 leaves no
        decision. It is counted here, so that somebody sees it.
        """
        request: Request[types.Holds] = Request("GET", "/api/v1/holds", query={"mode": mode, "hours": hours})
        return self._send(request)

    def batch_reports(self) -> types.KeptReportList:
        """List kept reports. Newest first."""
        request: Request[types.KeptReportList] = Request("GET", "/api/v1/batch-reports")
        return self._send(request)

    def remove_batch_report(self, report_id: str) -> types.RemovedReport:
        """Delete a kept report. For the principal who kept it, and for people with the role `admin`. The act is an
        entry of the sealed log.
        """
        request: Request[types.RemovedReport] = Request(
            "DELETE",
            path("/api/v1/batch-reports/{}", report_id),
            has_effect=True,
        )
        return self._send(request)


class AsyncOperations(ABC):
    """The operations of the API, to be awaited."""

    @abstractmethod
    async def _send(self, request: Request[T]) -> T: ...

    @abstractmethod
    def _list(self, request: Request[Any], member: str) -> AsyncListing[Any]: ...

    @abstractmethod
    def _export(self, request: Request[Any]) -> AsyncIterator[str]: ...

    async def health(self) -> types.Health:
        """Check the health of the service."""
        request: Request[types.Health] = Request("GET", "/api/health", needs_key=False)
        return await self._send(request)

    async def methodology(self) -> types.Methodology:
        """Get the scoring methodology."""
        request: Request[types.Methodology] = Request("GET", "/api/v1/methodology", needs_key=False)
        return await self._send(request)

    def verifications(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        decision: types.Decision | None = None,
        corridor: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        correlation_id: str | None = None,
        mode: types.Mode | None = None,
        reason: types.ReasonCode | None = None,
        currency: str | None = None,
        amount_min: types.Number | None = None,
        amount_max: types.Number | None = None,
        override: bool | None = None,
        outcome: Literal["COMPLETED", "FAILED", "DELAYED", "REJECTED", "PENDING", "none"] | None = None,
    ) -> AsyncListing[types.Verification]:
        """List your decisions, newest first."""
        request: Request[Any] = Request(
            "GET",
            "/api/verifications",
            query={
                "limit": limit,
                "cursor": cursor,
                "decision": decision,
                "corridor": corridor,
                "from": from_,
                "to": to,
                "correlation_id": correlation_id,
                "mode": mode,
                "reason": reason,
                "currency": currency,
                "amount_min": amount_min,
                "amount_max": amount_max,
                "override": override,
                "outcome": outcome,
            },
        )
        return self._list(request, "")

    def export_verifications(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        decision: types.Decision | None = None,
        corridor: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        correlation_id: str | None = None,
        mode: types.Mode | None = None,
        reason: types.ReasonCode | None = None,
        currency: str | None = None,
        amount_min: types.Number | None = None,
        amount_max: types.Number | None = None,
        override: bool | None = None,
        outcome: Literal["COMPLETED", "FAILED", "DELAYED", "REJECTED", "PENDING", "none"] | None = None,
    ) -> AsyncIterator[str]:
        """List your decisions, newest first, as CSV: chunks of complete lines, of which the first begins with the
        header.
        """
        request: Request[Any] = Request(
            "GET",
            "/api/verifications",
            query={
                "limit": limit,
                "cursor": cursor,
                "decision": decision,
                "corridor": corridor,
                "from": from_,
                "to": to,
                "correlation_id": correlation_id,
                "mode": mode,
                "reason": reason,
                "currency": currency,
                "amount_min": amount_min,
                "amount_max": amount_max,
                "override": override,
                "outcome": outcome,
            },
        )
        return self._export(request)

    async def verifications_totals(
        self,
        *,
        decision: types.Decision | None = None,
        corridor: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        correlation_id: str | None = None,
        mode: types.Mode | None = None,
        reason: types.ReasonCode | None = None,
        currency: str | None = None,
        amount_min: types.Number | None = None,
        amount_max: types.Number | None = None,
        override: bool | None = None,
        outcome: Literal["COMPLETED", "FAILED", "DELAYED", "REJECTED", "PENDING", "none"] | None = None,
    ) -> types.VerificationsTotals:
        """Sum your decisions by currency. The number, the amounts and the decisions of the records that match, by
        currency of the request. Sums are exact, and rounded once to a number. It looks at the newest 10,000
        records at most; `complete` is false if there are older ones. Not part of the original contract.
        """
        request: Request[types.VerificationsTotals] = Request(
            "GET",
            "/api/v1/verifications/totals",
            query={
                "decision": decision,
                "corridor": corridor,
                "from": from_,
                "to": to,
                "correlation_id": correlation_id,
                "mode": mode,
                "reason": reason,
                "currency": currency,
                "amount_min": amount_min,
                "amount_max": amount_max,
                "override": override,
                "outcome": outcome,
            },
        )
        return await self._send(request)

    async def verifications_summary(
        self,
        *,
        from_: str | None = None,
        to: str | None = None,
        corridor: str | None = None,
        mode: types.Mode | None = None,
        time_zone: str | None = None,
    ) -> types.VerificationsSummary:
        """Summarise your decisions over a period. Decisions over time, with counts, scores, reasons, corridors and
        latency. Exact: each decision is counted in the transaction that records it. Defaults to the last 24
        hours. The range is widened to full hours of recording time; `from` and `to` in the response show what
        it covers. Not part of the original contract.
        """
        request: Request[types.VerificationsSummary] = Request(
            "GET",
            "/api/v1/verifications/summary",
            query={"from": from_, "to": to, "corridor": corridor, "mode": mode, "time_zone": time_zone},
        )
        return await self._send(request)

    async def search(self, q: str) -> types.SearchResults:
        """Find an id or a correlation id. Finds one id exactly: of a decision, override, outcome, review, event,
        policy, backtest, kept report or webhook; or the newest ten decisions with a correlation id. Only what
        the caller may read: reviews, policies with their backtests, and webhooks need their scopes, and an id
        of another owner is unknown. Not part of the original contract.
        """
        request: Request[types.SearchResults] = Request("GET", "/api/v1/search", query={"q": q})
        return await self._send(request)

    async def audit(self, request_id: str) -> types.AuditRecord:
        """Get the record of a decision."""
        request: Request[types.AuditRecord] = Request("GET", path("/api/v1/audit/{}", request_id))
        return await self._send(request)

    async def audit_proof(self, id: str) -> types.AuditProof:
        """Prove that a record is in the log. Hash paths (RFC 6962) from the record and its override to the root
        that the checkpoint signs. With a stored checkpoint you can prove later that neither was changed.
        """
        request: Request[types.AuditProof] = Request("GET", path("/api/v1/audit/{}/proof", id))
        return await self._send(request)

    async def audit_checkpoint(self, *, from_: int | None = None) -> types.CheckpointAnswer:
        """Get the latest checkpoint of the log. Public. With `from`, also returns the proof that the log still
        contains everything that the earlier checkpoint signed.
        """
        request: Request[types.CheckpointAnswer] = Request(
            "GET",
            "/api/v1/audit/checkpoint",
            query={"from": from_},
            needs_key=False,
        )
        return await self._send(request)

    async def override(self, body: types.OverrideRequest) -> types.OverrideResponse:
        """Record a human override of a decision. For `DEGRADED` and `NO-GO`, once per decision; the same override
        again gets the first answer. The decision does not change; the override is recorded permanently and sent
        as `payment.override.created`.
        """
        request: Request[types.OverrideResponse] = Request(
            "POST",
            "/api/v1/override",
            body=body,
            has_effect=True,
        )
        return await self._send(request)

    async def report_outcome(self, id: str, body: types.OutcomeRequest) -> types.OutcomeResponse:
        """Report the outcome of a payment. Once per decision; the same report again gets the first answer. Audit
        and history show the outcome with the decision, which does not change. Live mode can compute its failure
        rate from these reports.
        """
        request: Request[types.OutcomeResponse] = Request(
            "POST",
            path("/api/v1/decision/{}/outcome", id),
            body=body,
            has_effect=True,
        )
        return await self._send(request)

    async def explain_decision(self, id: str) -> types.Explanation:
        """Explain a decision. The factors of the composite, the penalty and rounding that lead to the score, the
        policy gate, the rules of policies that fired, and counterfactuals computed by the same engine.
        """
        request: Request[types.Explanation] = Request("GET", path("/api/v1/decision/{}/explanation", id))
        return await self._send(request)

    async def decision_impact(self, id: str) -> types.Impact:
        """Get the impact of a decision on risk. If the decision was overridden, the impact reflects the override."""
        request: Request[types.Impact] = Request("GET", path("/api/v1/decision/{}/impact", id))
        return await self._send(request)

    async def decision_timeline(self, id: str) -> types.Timeline:
        """Get the timeline of a decision. Ten events, timed during the decision. The durations add up to the
        total.
        """
        request: Request[types.Timeline] = Request("GET", path("/api/v1/decision/{}/timeline", id))
        return await self._send(request)

    async def signal_provenance(self, decision_id: str) -> types.SignalProvenance:
        """Get the signal provenance of a decision. Each signal with its value, source and confidence."""
        request: Request[types.SignalProvenance] = Request("GET", path("/api/v1/signals/{}", decision_id))
        return await self._send(request)

    async def decision_file(self, id: str) -> types.DecisionFile:
        """Get all that is known about a decision. The record, explanation, provenance, timeline, impact, review,
        webhook deliveries and proof of a decision, as their own endpoints show them. A member that needs a
        scope the caller lacks is null, and listed in `withheld`.
        """
        request: Request[types.DecisionFile] = Request("GET", path("/api/v1/decision/{}/file", id))
        return await self._send(request)

    async def corridors(self) -> types.CorridorList:
        """List the supported corridors. Those of the key's mode: simulated ones for a test key, declared ones for
        a live key.
        """
        request: Request[types.CorridorList] = Request("GET", "/api/v1/corridors")
        return await self._send(request)

    async def corridor_health(
        self,
        corridor: str,
        *,
        amount: types.Number | None = None,
    ) -> types.CorridorHealth:
        """Get the health of a corridor. Computed from its signals, for typical payments or for a given amount.
        With a live key it also has the declared partners, their feeds and the last 24 hours. Nothing is stored.
        A corridor without data is DEGRADED, with an advisory.
        """
        request: Request[types.CorridorHealth] = Request(
            "GET",
            path("/api/v1/corridors/{}", corridor),
            query={"amount": amount},
        )
        return await self._send(request)

    async def corridor_calendar(self, corridor: str) -> types.CorridorCalendar:
        """Get the settlement calendar of a corridor. For a live key, where a calendar is declared; otherwise 404."""
        request: Request[types.CorridorCalendar] = Request(
            "GET",
            path("/api/v1/corridors/{}/calendar", corridor),
        )
        return await self._send(request)

    async def replay(self, body: types.ReplayRequest) -> types.ReplayResponse:
        """Assess a past payment. Uses simulated signals, whatever the key; test amounts have no effect, and no
        policy acts on it. With `actual_outcome`, also reports whether a verification would have helped.
        """
        request: Request[types.ReplayResponse] = Request("POST", "/api/v1/replay", body=body)
        return await self._send(request)

    async def readiness(self) -> types.Readiness:
        """Get the readiness checklist of this instance."""
        request: Request[types.Readiness] = Request("GET", "/api/v1/readiness", needs_key=False)
        return await self._send(request)

    async def signal_status(self) -> types.SignalStatus:
        """Get the status of the signal feeds."""
        request: Request[types.SignalStatus] = Request("GET", "/api/v1/status/signals", needs_key=False)
        return await self._send(request)

    async def cip_status(self) -> types.CipStatus:
        """Get the status of the Corridor Intelligence Platform."""
        request: Request[types.CipStatus] = Request("GET", "/api/v1/cip/status", needs_key=False)
        return await self._send(request)

    async def live_feeds(self) -> types.FeedList:
        """List the live feeds and their states. As seen by this instance, without values. A GET of a corridor
        reads its feeds anew. Empty for a test key.
        """
        request: Request[types.FeedList] = Request("GET", "/api/v1/feeds")
        return await self._send(request)

    async def organisation_settings(self) -> types.OrganisationSettings:
        """Get the permissions, limits and usage of the calling key."""
        request: Request[types.OrganisationSettings] = Request("GET", "/api/v1/organisation/settings")
        return await self._send(request)

    async def register_webhook(self, body: types.WebhookRequest) -> types.RegisteredWebhook:
        """Register an endpoint for events. At most 20 per owner. The secret is shown only in this response."""
        request: Request[types.RegisteredWebhook] = Request(
            "POST",
            "/api/v1/webhooks",
            body=body,
            has_effect=True,
        )
        return await self._send(request)

    async def webhooks(self) -> list[types.Webhook]:
        """List your endpoints."""
        request: Request[list[types.Webhook]] = Request("GET", "/api/v1/webhooks")
        return await self._send(request)

    async def webhook(self, webhook_id: str) -> types.Webhook:
        """Get an endpoint."""
        request: Request[types.Webhook] = Request("GET", path("/api/v1/webhooks/{}", webhook_id))
        return await self._send(request)

    async def remove_webhook(self, webhook_id: str) -> types.RemovedWebhook:
        """Remove an endpoint. Pending events are not sent. An attempt in progress may still arrive."""
        request: Request[types.RemovedWebhook] = Request(
            "DELETE",
            path("/api/v1/webhooks/{}", webhook_id),
            has_effect=True,
        )
        return await self._send(request)

    async def rotate_webhook_secret(self, webhook_id: str) -> types.RotatedWebhook:
        """Rotate the secret of an endpoint. For 24 hours, `webhook-signature` contains signatures with both the
        old and the new secret. `X-SVC-Signature` uses the new secret at once.
        """
        request: Request[types.RotatedWebhook] = Request(
            "POST",
            path("/api/v1/webhooks/{}/rotate-secret", webhook_id),
            has_effect=True,
        )
        return await self._send(request)

    async def test_webhook(self, webhook_id: str) -> types.TestedWebhook:
        """Send a test event to an endpoint. Sends a `webhook.test` event, signed and retried like any other."""
        request: Request[types.TestedWebhook] = Request(
            "POST",
            path("/api/v1/webhooks/{}/test", webhook_id),
            has_effect=True,
        )
        return await self._send(request)

    def webhook_deliveries(
        self,
        webhook_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        status: Literal["dropped", "suspended"] | None = None,
    ) -> AsyncListing[types.Delivery]:
        """List the deliveries of an endpoint."""
        request: Request[Any] = Request(
            "GET",
            path("/api/v1/webhooks/{}/deliveries", webhook_id),
            query={"limit": limit, "cursor": cursor, "status": status},
        )
        return self._list(request, "")

    async def webhook_delivery(self, webhook_id: str, event_id: str) -> types.DeliveryDetail:
        """Show a delivery: its body and the answers. The body as an attempt would send it now, and the first 1,000
        bytes of each answer of the receiver.
        """
        request: Request[types.DeliveryDetail] = Request(
            "GET",
            path("/api/v1/webhooks/{}/deliveries/{}", webhook_id, event_id),
        )
        return await self._send(request)

    async def resend_delivery(self, webhook_id: str, event_id: str) -> types.ResentDelivery:
        """Send an event again. One further attempt is made at once, whatever became of the event; the receiver
        sees the same `event_id`. At most 50 attempts per event.
        """
        request: Request[types.ResentDelivery] = Request(
            "POST",
            path("/api/v1/webhooks/{}/deliveries/{}/resend", webhook_id, event_id),
            has_effect=True,
        )
        return await self._send(request)

    async def resend_deliveries(self, webhook_id: str, body: types.ResendRequest) -> types.ResentEvents:
        """Send the failed events of an endpoint again. Sends again what was dropped or suspended in that time,
        oldest first and with the same `event_id`: one further attempt for each dropped event, all five for each
        that was not tried. Ends a suspension. At most 50 attempts per event.
        """
        request: Request[types.ResentEvents] = Request(
            "POST",
            path("/api/v1/webhooks/{}/resend", webhook_id),
            body=body,
            has_effect=True,
        )
        return await self._send(request)

    async def request_access(self, body: types.AccessRequest) -> types.AccessResponse:
        """Request access and receive a sandbox key. The sandbox key has its own owner and all scopes except
        policy:approve and review:approve, and does not expire. An operator reviews the request; a live key is
        delivered separately. A request changes no existing key.
        """
        request: Request[types.AccessResponse] = Request(
            "POST",
            "/api/v1/request-access",
            body=body,
            needs_key=False,
            has_effect=True,
        )
        return await self._send(request)

    async def me(self) -> types.Me:
        """Show who calls, and what the caller may do."""
        request: Request[types.Me] = Request("GET", "/api/v1/me")
        return await self._send(request)

    async def demo_verify(self, body: types.DemoVerifyRequest | None = None) -> types.DemoVerifyResponse:
        """Try a verification without a key. A decision on synthetic signals, not stored. Send synthetic values
        only. Test amounts take effect, except `.09`. No policy acts on it.
        """
        request: Request[types.DemoVerifyResponse] = Request(
            "POST",
            "/api/v1/demo-verify",
            body=body or {},
            needs_key=False,
        )
        return await self._send(request)

    async def demo_compare(self, body: types.DemoCompareRequest) -> types.DemoCompareResponse:
        """Compare the risk profiles on one payment without a key. Compares one score with three thresholds. Unlike
        in a verification, the cap of 50,000 does not apply; the cap of 500,000 and the rule for unsupported
        corridors do. With an amount of 85000 the profiles differ, with 15000 they agree. Test amounts have no
        effect. No policy acts on it.
        """
        request: Request[types.DemoCompareResponse] = Request(
            "POST",
            "/api/v1/demo-compare",
            body=body,
            needs_key=False,
        )
        return await self._send(request)

    async def compare_partners(self, body: types.PartnerRankingRequest) -> types.PartnerRankingResponse:
        """Rank partners for a payment. With a test key on simulated signals, without test amounts. With a live key
        the declared partners of the corridor, by their feeds, fees and policies, as verify ranks them. Policies
        do not act on simulated partners.
        """
        request: Request[types.PartnerRankingResponse] = Request("POST", "/api/v1/decision/compare", body=body)
        return await self._send(request)

    async def create_policy(self, body: types.PolicyDocument) -> types.PaymentPolicy:
        """Create a policy as a draft. It decides nothing until it is promoted by another principal. At most 1000
        per owner. Policies act on verify in both modes and on live ranking. The demo, batches, replay and the
        ranking of simulated partners stay the contract's.
        """
        request: Request[types.PaymentPolicy] = Request("POST", "/api/v1/policies", body=body, has_effect=True)
        return await self._send(request)

    async def policies(
        self,
        *,
        status: Literal["draft", "candidate", "active", "retired"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> types.PolicyList:
        """List your policies, newest first. Follow `next_cursor`, or `Link: <…>; rel="next"`, until there is none."""
        request: Request[types.PolicyList] = Request(
            "GET",
            "/api/v1/policies",
            query={"status": status, "limit": limit, "cursor": cursor},
        )
        return await self._send(request)

    async def check_policy(
        self,
        body: types.PolicyDocument,
        *,
        request_id: str | None = None,
    ) -> types.PolicyCheck:
        """Check a document, and try it on a decision. For editors and pipelines. Nothing is stored, and a faulty
        document is a result, not an error.
        """
        request: Request[types.PolicyCheck] = Request(
            "POST",
            "/api/v1/policies/check",
            query={"request_id": request_id},
            body=body,
        )
        return await self._send(request)

    async def policy_variables(self) -> types.PolicyVariables:
        """List what an expression may use."""
        request: Request[types.PolicyVariables] = Request("GET", "/api/v1/policies/variables")
        return await self._send(request)

    async def policy(self, policy_id: str) -> types.PaymentPolicy:
        """Show a policy."""
        request: Request[types.PaymentPolicy] = Request("GET", path("/api/v1/policies/{}", policy_id))
        return await self._send(request)

    async def policy_report(self, policy_id: str) -> types.PolicyCandidateReport:
        """Report of a candidate. The decisions since the policy became the candidate, each decided again under it."""
        request: Request[types.PolicyCandidateReport] = Request(
            "GET",
            path("/api/v1/policies/{}/report", policy_id),
        )
        return await self._send(request)

    async def make_policy_candidate(self, policy_id: str) -> types.PaymentPolicy:
        """Make a policy the candidate. From now on it is evaluated beside the active one on every new decision,
        which it does not change. A candidate before it is a draft again.
        """
        request: Request[types.PaymentPolicy] = Request(
            "POST",
            path("/api/v1/policies/{}/candidate", policy_id),
            has_effect=True,
        )
        return await self._send(request)

    async def promote_policy(self, policy_id: str, body: types.PolicyReason) -> types.PolicyResponse:
        """Put a policy in force. By another principal than the one who wrote it. It takes effect on every instance
        within a second.
        """
        request: Request[types.PolicyResponse] = Request(
            "POST",
            path("/api/v1/policies/{}/promote", policy_id),
            body=body,
            has_effect=True,
        )
        return await self._send(request)

    async def roll_back_policy(self, body: types.PolicyReason) -> types.PolicyRollback:
        """Take the active policy out of force. The one that was active before, or none, is active again. A second
        rollback goes one further back.
        """
        request: Request[types.PolicyRollback] = Request(
            "POST",
            "/api/v1/policies/rollback",
            body=body,
            has_effect=True,
        )
        return await self._send(request)

    async def start_backtest(
        self,
        policy_id: str,
        body: types.PolicyBacktestRequest,
    ) -> types.PolicyBacktestResponse:
        """Decide a stretch of history again under a policy. Runs beside the decisions and changes nothing. At most
        3 per owner at a time.
        """
        request: Request[types.PolicyBacktestResponse] = Request(
            "POST",
            path("/api/v1/policies/{}/backtest", policy_id),
            body=body,
            has_effect=True,
        )
        return await self._send(request)

    async def backtests(self, policy_id: str) -> types.PolicyBacktestList:
        """List the backtests of a policy."""
        request: Request[types.PolicyBacktestList] = Request(
            "GET",
            path("/api/v1/policies/{}/backtests", policy_id),
        )
        return await self._send(request)

    async def backtest(self, policy_id: str, backtest_id: str) -> types.PolicyBacktest:
        """Show the progress and the report of a backtest."""
        request: Request[types.PolicyBacktest] = Request(
            "GET",
            path("/api/v1/policies/{}/backtests/{}", policy_id, backtest_id),
        )
        return await self._send(request)

    async def cancel_backtest(self, policy_id: str, backtest_id: str) -> types.PolicyBacktest:
        """Cancel a backtest. It ends within a moment. One that has ended stays as it is."""
        request: Request[types.PolicyBacktest] = Request(
            "DELETE",
            path("/api/v1/policies/{}/backtests/{}", policy_id, backtest_id),
            has_effect=True,
        )
        return await self._send(request)

    async def calibration(
        self,
        *,
        from_: str | None = None,
        to: str | None = None,
        mode: types.Mode | None = None,
        corridor: str | None = None,
    ) -> types.Calibration:
        """Compare scores with how payments ended. A score predicts that a payment fails with a probability of 1 −
        score. The Brier score, the reliability by predicted probability and the failure rate by signal say
        whether that came about, over your decisions with a final outcome. Exact, and read from counts that are
        kept by day.
        """
        request: Request[types.Calibration] = Request(
            "GET",
            "/api/v1/calibration",
            query={"from": from_, "to": to, "mode": mode, "corridor": corridor},
        )
        return await self._send(request)

    def reviews(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        status: str | None = None,
        corridor: str | None = None,
        decision: types.Decision | None = None,
        mode: types.Mode | None = None,
        claimed_by: Literal["me", "nobody"] | None = None,
        overdue: bool | None = None,
    ) -> AsyncListing[types.Review]:
        """List reviews, oldest due first."""
        request: Request[Any] = Request(
            "GET",
            "/api/v1/reviews",
            query={
                "limit": limit,
                "cursor": cursor,
                "status": status,
                "corridor": corridor,
                "decision": decision,
                "mode": mode,
                "claimed_by": claimed_by,
                "overdue": overdue,
            },
        )
        return self._list(request, "reviews")

    async def review_summary(self, *, mode: types.Mode | None = None) -> types.ReviewSummary:
        """Count the reviews and the money that wait."""
        request: Request[types.ReviewSummary] = Request("GET", "/api/v1/reviews/summary", query={"mode": mode})
        return await self._send(request)

    async def review(self, review_id: str) -> types.ReviewDetail:
        """Show a review and its history."""
        request: Request[types.ReviewDetail] = Request("GET", path("/api/v1/reviews/{}", review_id))
        return await self._send(request)

    async def claim_review(self, review_id: str) -> types.ReviewResponse:
        """Claim a review. One claim wins. Your own again gets the same answer; that of another is 409."""
        request: Request[types.ReviewResponse] = Request(
            "POST",
            path("/api/v1/reviews/{}/claim", review_id),
            has_effect=True,
        )
        return await self._send(request)

    async def release_review(self, review_id: str) -> types.ReviewResponse:
        """Give a review back to the queue. Your own; a proposal of yours is withdrawn. An approver may also
        release what another has claimed.
        """
        request: Request[types.ReviewResponse] = Request(
            "POST",
            path("/api/v1/reviews/{}/release", review_id),
            has_effect=True,
        )
        return await self._send(request)

    async def comment_review(self, review_id: str, body: types.ReviewCommentRequest) -> types.ReviewResponse:
        """Comment on a review. At most 100 comments; each is recorded permanently."""
        request: Request[types.ReviewResponse] = Request(
            "POST",
            path("/api/v1/reviews/{}/comment", review_id),
            body=body,
            has_effect=True,
        )
        return await self._send(request)

    async def propose_review(self, review_id: str, body: types.ReviewProposeRequest) -> types.ReviewResponse:
        """Propose what to do instead. Also claims a review that nobody has. Nothing happens to the decision until
        another principal approves.
        """
        request: Request[types.ReviewResponse] = Request(
            "POST",
            path("/api/v1/reviews/{}/propose", review_id),
            body=body,
            has_effect=True,
        )
        return await self._send(request)

    async def approve_review(
        self,
        review_id: str,
        body: types.ReviewApproveRequest | None = None,
    ) -> types.ReviewResponse:
        """Approve a proposal. By another principal than the one who proposed. Records the override with both
        names; for a `GO`, which cannot be overridden, the resolution alone.
        """
        request: Request[types.ReviewResponse] = Request(
            "POST",
            path("/api/v1/reviews/{}/approve", review_id),
            body=body or {},
            has_effect=True,
        )
        return await self._send(request)

    async def reject_review(self, review_id: str, body: types.ReviewRejectRequest) -> types.ReviewResponse:
        """Reject a proposal. By another principal than the one who proposed. The review is open again for another
        proposal.
        """
        request: Request[types.ReviewResponse] = Request(
            "POST",
            path("/api/v1/reviews/{}/reject", review_id),
            body=body,
            has_effect=True,
        )
        return await self._send(request)

    async def holds(self, *, mode: types.Mode | None = None, hours: int | None = None) -> types.Holds:
        """Count requests that were held, by reason. A request to verify that is answered with 503 leaves no
        decision. It is counted here, so that somebody sees it.
        """
        request: Request[types.Holds] = Request("GET", "/api/v1/holds", query={"mode": mode, "hours": hours})
        return await self._send(request)

    async def batch_reports(self) -> types.KeptReportList:
        """List kept reports. Newest first."""
        request: Request[types.KeptReportList] = Request("GET", "/api/v1/batch-reports")
        return await self._send(request)

    async def remove_batch_report(self, report_id: str) -> types.RemovedReport:
        """Delete a kept report. For the principal who kept it, and for people with the role `admin`. The act is an
        entry of the sealed log.
        """
        request: Request[types.RemovedReport] = Request(
            "DELETE",
            path("/api/v1/batch-reports/{}", report_id),
            has_effect=True,
        )
        return await self._send(request)
