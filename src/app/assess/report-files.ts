/** The files of a report, and what it may be called: apart, so that the command line knows them without the rest. */

export const reportFiles = {
  assessments: 'assessments.csv',
  rejected: 'rejected.csv',
  summary: 'summary.json',
  page: 'report.html',
} as const

/** What a report may be called: something, and nothing that a terminal would obey. */
export const reportNameForm = /^(?=.*\S)[^\p{Cc}]{1,200}$/u
