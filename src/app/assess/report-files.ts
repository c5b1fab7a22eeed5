/** File names of a report and the rule for report names, separate so that the CLI loads nothing else. */

export const reportFiles = {
  assessments: 'assessments.csv',
  rejected: 'rejected.csv',
  summary: 'summary.json',
  page: 'report.html',
} as const

/** 1 to 200 characters, not all blank, without control characters, which a terminal would interpret. */
export const reportNameForm = /^(?=.*\S)[^\p{Cc}]{1,200}$/u
