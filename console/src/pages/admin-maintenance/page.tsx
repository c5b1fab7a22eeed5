/** Maintenance of the installation: the check of the log, erasure, retention and months. */

import { AdminOnly } from '../../keyed.tsx'
import { Page } from '../../ui/page.tsx'
import '../../admin/admin.css'
import { Erasure } from './erasure.tsx'
import { JobsCard, useJobs } from './jobs.tsx'
import { Months } from './months.tsx'
import { RetentionCard } from './retention.tsx'
import { VerifyLog } from './verify-log.tsx'

function Maintenance() {
  const jobs = useJobs()
  const { isRunning } = jobs
  return (
    <>
      <JobsCard of={jobs} />
      <VerifyLog isRunning={isRunning} />
      <Erasure isRunning={isRunning} />
      <RetentionCard isRunning={isRunning} />
      <Months />
    </>
  )
}

export default function MaintenancePage() {
  return (
    <Page title="Maintenance" lead="The log, personal text and old months of the whole installation.">
      <AdminOnly what="maintenance">
        <Maintenance />
      </AdminOnly>
    </Page>
  )
}
