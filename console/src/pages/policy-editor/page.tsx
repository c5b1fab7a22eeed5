/** The policy editor: a new policy, or a new version from another one. */

import {
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  type FairwayError,
  type PolicyDocument,
} from '@fairway/client'
import { useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useAction } from '../../action.ts'
import { useAddress } from '../../address.ts'
import { Keyed } from '../../keyed.tsx'
import { Problem } from '../../problem.tsx'
import { useQuery } from '../../query.ts'
import { MissingPageScope } from '../../scope-problem.tsx'
import { useMay } from '../../caller.ts'
import { useSession } from '../../session.tsx'
import { clearDraft, useStoredDraft } from '../../stored-draft.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Code } from '../../ui/code.tsx'
import { Icon } from '../../ui/icon.tsx'
import { focusFirstError } from '../../ui/field.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Notice, Skeleton } from '../../ui/state.tsx'
import { policyHref } from '../policies/labels.ts'
import { PolicyProblem } from '../policies/parts.tsx'
import { usePolicy, useRefreshPolicies } from '../policies/queries.ts'
import { BasicsCard, CapsCard } from './basics.tsx'
import { documentOf, draftOf, noDraft, type Draft } from './draft.ts'
import { isRepeated, messagesOf, useChecking, type Checking } from './faults.ts'
import { RulesCard } from './rules.tsx'
import { TryCard } from './try.tsx'
import './editor.css'

const draftName = (from: string | null): string => `policy.${from ?? 'new'}`

function CheckState({ of: { checked, isChecking, error, retry } }: { readonly of: Checking }) {
  if (error !== undefined) {
    return (
      <p className="policy-check" role="status">
        <Icon name="warn" size={16} />
        Not checked: {error.message}
        <Button small variant="quiet" onClick={retry}>
          Try again
        </Button>
      </p>
    )
  }
  const count = checked?.faults.length ?? 0
  if (isChecking || checked === null) return <p className="policy-check soft">Checking</p>
  return (
    <p className={`policy-check ${count === 0 ? 'policy-check-fine' : 'policy-check-faulty'}`} role="status">
      <Icon name={count === 0 ? 'check' : 'warn'} size={16} />
      {count === 0 ? 'No errors' : `${count} ${count === 1 ? 'error' : 'errors'}`}
    </p>
  )
}

/** Errors that belong to no field. */
function SaveError({ error }: { readonly error: FairwayError | null }) {
  if (error === null || error instanceof InvalidRequestError) return null
  if (error instanceof ConnectionError) {
    return (
      <Notice tone="nogo" title="Fairway is not responding" live>
        <p>
          The draft may already be saved: look at <Link href="/policies">your policies</Link> before you save
          it again. What you typed is kept.
        </p>
      </Notice>
    )
  }
  return <Problem error={error} />
}

/** Focuses the first invalid field after each failed attempt. */
function useFocusOnFault(attempts: number) {
  const form = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (attempts > 0) focusFirstError(form.current)
  }, [attempts])
  return form
}

/** Saves the document as a draft; its faults are shown at their fields. */
function useSaving(draft: Draft, document: PolicyDocument, from: string | null, checking: Checking) {
  const [, navigate] = useLocation()
  const refresh = useRefreshPolicies()
  const [attempts, setAttempts] = useState(0)
  const text = JSON.stringify(document)
  const action = useAction(
    async (client) => {
      try {
        return await client.createPolicy(document)
      } catch (error) {
        if (!(error instanceof InvalidRequestError)) throw error
        checking.found({ text, document, faults: error.errors })
        setAttempts((before) => before + 1)
        throw error
      }
    },
    ({ policy_id: id }) => {
      clearDraft(draftName(from))
      refresh()
      navigate(policyHref(id))
    },
  )
  function save(): void {
    const { checked } = checking
    const isFaulty = checked?.text === text && checked.faults.length > 0
    if (isFaulty || draft.caps.some((cap) => isRepeated(cap, draft))) setAttempts(attempts + 1)
    else action.run()
  }
  return { save, attempts, busy: action.busy, error: action.error }
}

function Editor({ from, initial }: { readonly from: string | null; readonly initial: Draft }) {
  const [draft, setDraft] = useStoredDraft(draftName(from), initial)
  const { installation } = useSession()
  const document = documentOf(draft)
  const checking = useChecking(document)
  const { save, attempts, busy, error } = useSaving(draft, document, from, checking)
  const { data: known } = useQuery(['policy variables'], (client) => client.policyVariables())
  const form = useFocusOnFault(attempts)
  const messageOf = messagesOf(checking.checked, attempts > 0)
  const isChanged = JSON.stringify(draft) !== JSON.stringify(initial)
  return (
    <div className="policy-editor">
      <div className="stack" ref={form}>
        <BasicsCard {...{ draft, messageOf }} onDraft={setDraft} />
        <RulesCard {...{ draft, messageOf, known }} checked={checking.checked} onDraft={setDraft} />
        <CapsCard {...{ draft, messageOf }} onDraft={setDraft} />
        <div className="policy-save">
          <Button variant="primary" icon="check" busy={busy} onClick={save}>
            Save as draft
          </Button>
          {isChanged && (
            <Button variant="quiet" onClick={() => setDraft(initial)}>
              Discard changes
            </Button>
          )}
          {/* Before anything is typed, an empty policy has no errors to speak of. */}
          {(from !== null || isChanged || attempts > 0) && <CheckState of={checking} />}
        </div>
        <SaveError error={error} />
      </div>
      <div className="stack policy-aside">
        {installation === null ? <TryCard document={document} /> : <NotTriable />}
        <Card title="Document">
          <Code title="Document as JSON" text={JSON.stringify(document, null, 2)} />
        </Card>
      </div>
    </div>
  )
}

/** A decision belongs to one owner, and the installation is none. */
function NotTriable() {
  return (
    <Card title="Try it">
      <p>Save it as a draft and start a backtest: it decides recorded payments of every owner again.</p>
    </Card>
  )
}

function FromVersion({ from }: { readonly from: string }) {
  const { data, error, mutate } = usePolicy(from)
  if (error instanceof NotFoundError) {
    return (
      <Card>
        <Empty
          icon="search"
          title="Policy not found"
          action={<LinkButton href="/policies/new">Start with an empty policy</LinkButton>}
        >
          Check the id. Policies of other owners are not visible.
        </Empty>
      </Card>
    )
  }
  if (data === undefined) {
    return error === undefined ? (
      <Skeleton height={420} label="Loading policy" />
    ) : (
      <PolicyProblem error={error} onRetry={() => void mutate()} />
    )
  }
  return <Editor key={from} from={from} initial={draftOf(data.document)} />
}

function Allowed({ from }: { readonly from: string | null }) {
  const mayWrite = useMay('policy:write')
  if (!mayWrite) {
    return <MissingPageScope scope="policy:write" title="This key cannot write policies" />
  }
  return from === null ? <Editor from={null} initial={noDraft} /> : <FromVersion from={from} />
}

export default function PolicyEditorPage() {
  const [params] = useAddress()
  const from = params.get('from')
  const { data: source } = usePolicy(from)
  const { installation } = useSession()
  return (
    <Page
      hasTimes={false}
      title={from === null ? 'New policy' : 'New version'}
      lead={
        <>
          {source !== undefined && (
            <>
              From <Link href={policyHref(source.policy_id)}>{source.document.name}</Link>.{' '}
            </>
          )}
          Saved as a draft, it decides nothing until another{' '}
          {installation === null ? 'key or person' : 'admin'} promotes it.
        </>
      }
      actions={
        <LinkButton href="/policies" variant="quiet" icon="back">
          All policies
        </LinkButton>
      }
    >
      <Keyed what="the policy editor">
        <Allowed from={from} />
      </Keyed>
    </Page>
  )
}
