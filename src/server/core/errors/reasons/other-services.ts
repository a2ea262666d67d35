/**
 * What can be wrong with callbacks, tracking lookups and channel settings, and how carriers, the text provider, chats and mail
 * servers can fail.
 */
export const EXTERNAL_SERVICE_REASONS = {
  callback: {
    noNumber: 'an entry has no usable tracking number',
    lostDigits: 'a tracking number is a number beyond 2^53-1, whose last digits are lost; send it as text',
    unknown: 'unknown status "{value}"',
    noStatus: 'the entry has no status',
    empty: 'the event has no content',
    unreadableTime:
      'the time {value} cannot be read; send ISO 8601, or Unix seconds or milliseconds as a number',
    noSuchTime: 'the time {value} does not exist',
    timeRange: 'the time {value} is not between 2000 and 2099',
    noTrackInfo: 'data has no track_info',
    tooMany: 'only the first {count} events are read',
    gone: 'This callback does not exist. Old callbacks are deleted after a while.',
    notAskable: 'This is not a tracking number that carriers accept: 4 to 50 characters of A-Z, 0-9 and -.',
    noForm:
      'the body is neither a 17TRACK v2 webhook nor in the plain form: data has neither number nor tracking_number',
  },
  tracking: {
    orderOrNumber: 'is required unless tracking_number is given',
    unknownNumber: 'Nothing is known about tracking number "{number}".',
    unknownOrder: 'Nothing is known about order {id}.',
    unknownPair: 'Nothing is known about order {id} with tracking number "{number}".',
    notSetByPerson: 'This status was not set by hand, or it has already been undone.',
  },
  carrier: {
    notConfigured: 'No carrier is configured. Ask the administrator to set the carrier and its key.',
    refused: 'The carrier refused the query. Ask the administrator to check the account with the carrier.',
    broken: 'The carrier sent no usable response. Try again later.',
    limited: 'The carrier is limiting requests. Try again later.',
    timeout: 'The carrier did not respond in time. Try again later.',
    crowded: 'Too many carrier queries are waiting. Try again in a moment.',
    down: 'The carrier has failed several times in a row, so requests to it are paused. Try again later.',
  },
  reply: {
    refused:
      'The text provider refused the request. Ask the administrator to check OPENAI_API_KEY, OPENAI_MODEL and the quota.',
    unreachable: 'The text provider cannot be reached. Try again in a moment.',
    broken: 'The text provider failed, or sent no usable response. Try again in a moment.',
    timeout:
      'The text provider was too slow. Try again, or ask the administrator to raise OPENAI_TIMEOUT_MS.',
    declined: 'The text provider would not write a reply to this conversation. Write one by hand.',
    cutOff:
      'The reply was cut off before its end, so it is not shown. Try again with a shorter conversation.',
    empty: 'The text provider wrote an empty reply. Try again.',
    notConfigured:
      'No text provider is configured. Ask the administrator to set OPENAI_API_KEY and restart the service.',
  },
  chat: {
    wecom: 'WeCom',
    dingtalk: 'DingTalk',
    slack: 'Slack',
  },
  notification: {
    time: 'must be a time of day such as 08:00',
    url: 'must be the webhook URL that {vendor} shows, such as {example}',
    signingKey: 'must be the secret that DingTalk shows beside "additional signature", which starts with SEC',
    noSigning: 'is for DingTalk only: leave it out',
    otherVendor: 'cannot be changed: add another channel',
    oneEmail: 'already exists: change that channel instead',
    teamEmail: 'can only be added by each user, under their own account',
    tooMany: 'cannot be added because there are already {count} channels; remove one first',
    noChannel: 'No channel has the id {id}.',
    noEmail: 'No mail server is configured. Ask the administrator to set SMTP_URL and SMTP_FROM.',
    otherSecret:
      'The webhook URL cannot be decrypted, because the secret of this service has changed. Enter it again.',
    interrupted: 'The service stopped several times while sending this.',
    paused: '{name} has failed several times in a row, so requests to it are paused for a few minutes.',
    unreachable: '{name} cannot be reached.',
    slow: '{name} did not respond in time.',
    limited: '{name} is limiting messages.',
    failing: '{name} responded with status {status}.',
    unreadable: '{name} sent a response that could not be read.',
    refused: '{name} refused the message: {detail}',
    mailUnreachable: 'The mail server cannot be reached.',
    mailSlow: 'The mail server did not respond in time.',
    mailSignIn: 'The mail server refused the user name or password of SMTP_URL.',
    mailRefused: 'The mail server refused the e-mail with code {code}.',
    mailFailed: 'The mail server could not be used. Check SMTP_URL.',
  },
} as const;
