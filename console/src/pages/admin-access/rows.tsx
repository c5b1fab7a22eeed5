/** The rows of the list of access requests, and the details of one. */

import type { AccessRequestView } from '@fairway/client'
import { Link } from 'wouter'
import { Button } from '../../ui/button.tsx'
import { Pairs } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { StackColumn } from '../../ui/stack-table.tsx'
import { rowLink } from '../../ui/table-row.ts'
import { ageOf, Ago, Time } from '../../ui/time.tsx'
import { Chip, type Tone } from '../../ui/verdict.tsx'

type Request = AccessRequestView

const statuses: Readonly<Record<Request['status'], readonly [Tone | undefined, string]>> = {
  received: ['info', 'Waiting'],
  approved: ['go', 'Approved'],
  rejected: [undefined, 'Rejected'],
}

const captchaMeanings: Readonly<Record<Request['captcha'], string>> = {
  verified: 'Verified when the request was made.',
  not_checked: 'Not checked: no captcha was configured.',
}

function Captcha({ of }: { readonly of: Request['captcha'] }) {
  return of === 'verified' ? (
    <Chip tone="go">
      <Icon name="check" size={15} />
      Verified
    </Chip>
  ) : (
    <span className="soft" title={captchaMeanings.not_checked}>
      Not checked
    </span>
  )
}

interface RowActs {
  readonly isOpen: (request: Request) => boolean
  readonly onDetails: (request: Request) => void
  readonly onAct: (kind: 'approve' | 'reject', request: Request) => void
}

function Decide({ of: request, acts }: { readonly of: Request; readonly acts: RowActs }) {
  if (request.status !== 'received') return null
  return (
    <span className="unwrapped">
      <Button small aria-label={`Approve ${request.name}`} onClick={() => acts.onAct('approve', request)}>
        Approve
      </Button>
      <Button
        small
        variant="quiet"
        aria-label={`Reject ${request.name}`}
        onClick={() => acts.onAct('reject', request)}
      >
        Reject
      </Button>
    </span>
  )
}

export function columnsAt(nowMs: number, acts: RowActs): readonly StackColumn<Request>[] {
  return [
    {
      name: 'Name',
      fluid: 2,
      sort: ({ name }) => name,
      cell: (request) => (
        <button
          {...rowLink}
          type="button"
          className="link-button"
          aria-expanded={acts.isOpen(request)}
          onClick={() => acts.onDetails(request)}
        >
          {request.name}
        </button>
      ),
    },
    {
      name: 'Email (unverified)',
      place: 'plain',
      fluid: 2,
      sort: ({ email }) => email,
      cell: ({ email }) => email,
    },
    {
      name: 'Reason',
      place: 'plain',
      fluid: 3,
      cell: ({ reason }) => <span className="soft">{reason}</span>,
    },
    { name: 'Captcha', sort: ({ captcha }) => captcha, cell: ({ captcha }) => <Captcha of={captcha} /> },
    {
      name: 'Status',
      sort: ({ status }) => statuses[status][1],
      place: 'plain',
      cell: ({ status }) => {
        const [tone, label] = statuses[status]
        return <Chip {...(tone !== undefined && { tone })}>{label}</Chip>
      },
    },
    {
      name: 'Received',
      number: true,
      sort: ({ created_at: at }) => ageOf(at),
      cell: ({ created_at: at }) => <Ago at={at} nowMs={nowMs} />,
    },
    {
      name: 'Decision',
      place: 'plain',
      isHidden: true,
      cell: (request) => <Decide of={request} acts={acts} />,
    },
  ]
}

function KeyLink({ id }: { readonly id: string }) {
  return (
    <Link href={`/admin/keys?q=${id}`}>
      <code>{id}</code>
    </Link>
  )
}

export function RequestDetails({ of: request }: { readonly of: Request }) {
  const { live_key_id: liveKey, replaced_key_id: replaced, decided_at: decidedAt, decided_by: by } = request
  return (
    <div className="details-of-row">
      <Pairs
        of={[
          ['Reason', request.reason],
          ['Email', `${request.email} (as entered, not verified)`],
          ['Captcha', captchaMeanings[request.captcha]],
          ['Received', <Time key="at" at={request.created_at} />],
          ['Sandbox key', <KeyLink key="sandbox" id={request.sandbox_key_id} />],
          ...(decidedAt === null ? [] : [['Decided', <Time key="decided" at={decidedAt} />] as const]),
          ...(by === null
            ? []
            : [
                [
                  'Decided by',
                  by.startsWith('prs_') ? (
                    <Link key="by" href={`/admin/people?q=${by}`}>
                      {by}
                    </Link>
                  ) : (
                    by
                  ),
                ] as const,
              ]),
          ...(request.note === null ? [] : [['Note', request.note] as const]),
          ...(liveKey === null ? [] : [['Live key', <KeyLink key="live" id={liveKey} />] as const]),
          ...(replaced === null ? [] : [['Replaced key', <KeyLink key="old" id={replaced} />] as const]),
          ['Id', <code key="id">{request.access_request_id}</code>],
        ]}
      />
    </div>
  )
}
