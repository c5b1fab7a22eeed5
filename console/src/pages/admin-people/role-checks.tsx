/** Check boxes for roles, each with its meaning. */

import { roleLabels, roleMeanings, type Role } from '../../people/roles.ts'
import { Checks } from '../../ui/field.tsx'

const options = (Object.keys(roleLabels) as Role[]).map(
  (role) =>
    [
      role,
      <span key={role}>
        {roleLabels[role]}
        <span className="check-list-note">{roleMeanings[role]}</span>
      </span>,
    ] as const,
)

export function RoleChecks({
  value,
  error,
  onChange,
}: {
  readonly value: readonly Role[]
  readonly error: string | undefined
  readonly onChange: (roles: readonly Role[]) => void
}) {
  return <Checks label="Roles" options={options} value={value} error={error} onChange={onChange} />
}
