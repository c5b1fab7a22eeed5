/** The policy of the benchmarks: ten rules of everyday kinds, which an everyday payment does not fire. */

const expressions = [
  'signals.cop_overridden',
  '!signals.operation_valid',
  'signals.fraud_flags > 0',
  'confidence < 0.5 && amount > 10000.0',
  'currency in ["KES", "GHS"] && amount > 5000.0',
  'corridor == "GB-KE" && score < 0.9',
  'risk.network_healthy < 0.2',
  '"balance_sufficient" in flagged',
  'volatility > 0.5 && mode == "live"',
  'destination == "NG" && amount > 45000.0 && (hour < 6 || weekday in [0, 6])',
]

export const tenRules = {
  name: 'Ten rules',
  rules: expressions.map((when, place) => ({
    id: `rule-${place}`,
    when,
    then: place % 2 === 0 ? 'NO-GO' : 'DEGRADED',
    message: 'A rule of the benchmark.',
  })),
}
