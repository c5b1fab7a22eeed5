/** The acts that the caller may take on a decision, as buttons of the bar. */

import type { DecisionFile } from '@fairway/client'
import { useEffect, useId, useRef, useState } from 'react'
import { useCallerId, useMay } from '../../caller.ts'
import { Problem } from '../../problem.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { addressOf, isWaiting, noFilters } from '../reviews/filters.ts'
import { CompareDialog } from './compare-dialog.tsx'
import { useExport } from './export.ts'
import { isOutcomeOpen } from './outcome.tsx'

/** The words of the button that leads to the review; null without one that waits. */
function useReviewAct({ review }: DecisionFile): string | null {
  const mayWrite = useMay('review:write')
  const mayApprove = useMay('review:approve')
  const callerId = useCallerId()
  if (review === null || !isWaiting(review)) return null
  const isOwn = review.proposal?.proposed_by?.id === callerId
  if (review.status === 'proposed')
    return mayApprove && !(isOwn && review.needs_four_eyes) ? 'Approve or reject' : 'Open review'
  return mayWrite ? 'Propose in review' : 'Open review'
}

interface ActsProps {
  readonly file: DecisionFile
  /** Shows a section of the page and moves the focus to its form. */
  readonly onJump: (section: 'override' | 'outcome') => void
}

/** In a narrow window the acts are behind a button, so that the bar stays low. */
function useMenu() {
  const [isOpen, setOpen] = useState(false)
  const menu = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isOpen) return undefined
    const closeOutside = ({ target }: Event): void => {
      if (menu.current?.contains(target as Node) === false) setOpen(false)
    }
    const closeOnEscape = ({ key }: KeyboardEvent): void => {
      if (key !== 'Escape') return
      setOpen(false)
      menu.current?.querySelector('button')?.focus()
    }
    document.addEventListener('keydown', closeOnEscape)
    document.addEventListener('pointerdown', closeOutside)
    document.addEventListener('focusin', closeOutside)
    return () => {
      document.removeEventListener('keydown', closeOnEscape)
      document.removeEventListener('pointerdown', closeOutside)
      document.removeEventListener('focusin', closeOutside)
    }
  }, [isOpen])
  return { isOpen, setOpen, menu }
}

function FormActs({ file: { audit }, onJump }: ActsProps) {
  const mayOverride = useMay('override:create')
  const mayReport = useMay('outcome:write')
  if (audit === null) return null
  return (
    <>
      {mayOverride && audit.decision !== 'GO' && audit.human_override === null && (
        <Button small onClick={() => onJump('override')}>
          Override
        </Button>
      )}
      {mayReport && isOutcomeOpen(audit) && (
        <Button small onClick={() => onJump('outcome')}>
          Report outcome
        </Button>
      )}
    </>
  )
}

export function Acts({ file, onJump }: ActsProps) {
  const reviewAct = useReviewAct(file)
  const { isOpen, setOpen, menu } = useMenu()
  const [isComparing, setComparing] = useState(false)
  const { busy, error, save } = useExport(file.request_id)
  const id = useId()
  const closed = (act: () => void) => (): void => {
    setOpen(false)
    act()
  }
  return (
    <div ref={menu} className="bar-menu">
      <span className="bar-open">
        <Button small icon="menu" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
          Actions
        </Button>
      </span>
      <div id={id} className="bar-acts" data-open={isOpen}>
        {reviewAct !== null && file.review !== null && (
          <LinkButton
            href={addressOf(noFilters, file.review.review_id)}
            small
            variant="primary"
            icon="review"
          >
            {reviewAct}
          </LinkButton>
        )}
        <FormActs file={file} onJump={(section) => closed(() => onJump(section))()} />
        <Button small onClick={closed(() => setComparing(true))}>
          Compare with…
        </Button>
        {file.audit !== null && (
          <Button small icon="download" busy={busy === 'json'} onClick={() => save('json')}>
            Export
          </Button>
        )}
        {error !== null && <Problem error={error} />}
      </div>
      <CompareDialog file={file} open={isComparing} onClose={() => setComparing(false)} />
    </div>
  )
}
