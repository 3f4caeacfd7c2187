"""The defects: name, kind (simple: form and bounds; semantic: visible over several calls; deliveries; limits), one line."""

_TEXT = """
# simple
simple title-201 | a title may have 201 characters
simple long-text-9999 | a long text of exactly 10000 characters is refused
simple budget-zero | a budget of 0 is accepted
simple budget-three-decimals | amounts with three decimal places are accepted
simple page-size-clamped | a limit above 100 is answered with 100 items in place of 400
simple default-page-10 | the default page of bounties has 10 items
simple offset-negative | a negative offset is taken as 0
simple unknown-member-ignored | unknown members of a body are ignored
simple unknown-query-ignored | unknown query parameters are ignored
simple duplicate-member | of a member that is sent twice the last one wins
simple duplicate-query | of a query parameter that is sent twice the first one wins
simple null-is-error | an explicit null for an optional member of a create is 400
simple name-bidi | bidirectional controls are accepted in names and titles
simple blank-text | texts of white space only are accepted
simple invisible-text | texts of invisible characters only are accepted
simple control-characters | control characters are accepted in texts
simple length-utf16 | the length of a text is counted in UTF-16 units
simple length-bytes | the length of a name is counted in bytes
simple float-integer | 1.0 is accepted as an integer
simple string-number | a number in quotes is accepted as budget
simple date-format-only | a deadline that does not exist, such as 02-30, is accepted
simple digest-any | a digest of 64 other characters is accepted
simple deadline-past-refused | a deadline in the past is refused
simple slug-uppercase | upper case is accepted in a category
simple rating-10 | a rating up to 10 is accepted
simple rate-zero-refused | an hourly rate of 0 is refused
simple photos-21 | 21 photos are accepted
simple photo-size | a photo of more than 2048 bytes is accepted
simple photo-size-characters | the size of a photo is counted in characters
semantic photo-nulls-dropped | members of a photo that are null are left out
simple skills-unique-exact | two skills that differ in case only are accepted
simple media-type-unchecked | the content type of a body is not checked
simple media-type-charset | Content-Type: application/json; charset=utf-8 is refused
simple body-bound | a body of exactly 262144 bytes is 413
simple import-size | an import has the same maximum size as all other bodies
simple conversation-201 | starting a conversation answers 201
simple worker-message-200 | a worker's message answers 200
simple delete-204 | revoking a key answers 204 without a body
simple allow-missing | 405 has no Allow
simple head-works | HEAD is answered like GET
simple method-unknown | an unknown method is answered like GET
simple trailing-slash | a path with a trailing slash works
simple path-id-404 | a path id that is no integer is 404
simple retry-after-missing | 429 has no Retry-After
simple request-id-on-success-only | error responses have no X-Request-Id
simple error-code-missing | error responses have no X-Error-Code
simple error-code-of-status | X-Error-Code depends on the status only
simple request-id-constant | X-Request-Id is the same for all requests of a connection's address
simple no-store-missing | responses have no Cache-Control
simple nosniff-missing | X-Content-Type-Options is missing on errors
simple fault-place-missing | X-Faults has no places
simple fault-code-of-length | X-Faults has the code of a range for a length
simple fault-without-name | the text of 400 does not name the member
simple first-fault-only | only the first of several faults is reported
simple credential-text | 401 names X-API-Key in all APIs
simple patch-empty | a PATCH without members is 200
simple patch-message-missing | the response of a PATCH has no message
simple error-object | error is an object with code and text
simple timestamp-z | timestamps end in Z
simple timestamp-local | timestamps are in Japanese time
simple timestamp-fraction | timestamps have fractions of a second
simple flag-true-refused | is_remote=true is 400, only 1 and 0 are accepted
simple empty-filter | an empty filter is taken as absent
simple rates-crossed | minRate above maxRate is an empty list in place of 400
simple gender-case | gender=Male is accepted
simple decision-pending | a decision may be set back to pending
simple budget-string | the budget is returned as a text
simple budget-whole | the budget is rounded to whole dollars
simple hours-whole | estimated hours are rounded down to whole hours
simple null-left-out | members that are null are left out of responses
simple null-as-empty | texts that were never given are "" in place of null
simple verified-default | a new worker is verified if the operator says nothing
simple unavailable-default | a new worker is unavailable if the operator says nothing
simple null-not-default | an explicit null in a new worker is stored in place of the default
simple prefix-12 | key_prefix shows 12 characters of the key
simple key-short | keys have 32 characters after the prefix
simple bio-required | an empty bio is refused
simple body-ignored-not | a body on an operation that takes none is 400
simple webhook-url-spaces | spaces are accepted in the URL of a webhook
simple limit-echo | the list of workers always reports limit 20 and offset 0
# semantic: events
semantic event-twice | an event about a message is in the feed twice
semantic event-application.created-missing | an application causes no event
semantic event-bounty.updated-missing | a new status of a bounty causes no event
semantic event-unchanged | a status that is set again causes an event
semantic event-operator-unchanged | what the operator sets again causes an event
semantic event-to-sender | the account gets the events of its own messages
semantic event-id-of-feed | events of two feeds have one id
semantic events-newest-first | events are listed with the newest first
semantic event-names-ignored | the kinds of events are not selected
semantic event-names-first | of several kinds of events only the first is selected
semantic feeds-mixed | the feed of a caller has the events of the next one, too
semantic wait-ended-key | a key that ends during a wait still gets the events
semantic event-more-missing | has_more of a feed is always false
semantic event-wait-sleeps | a feed that waits does not answer before its time is over
simple event-names-unchecked | unknown names of events select nothing
simple event-names-of-others | names of events that only another API has select nothing
# semantic: joined values
semantic keys-left-one-more | one more key is said to be left than the quota permits
semantic available-ignored | is_available=true leaves out nobody
semantic my-bounties-all | the own bounties are those of all accounts
semantic my-bounties-status | the status of the own bounties is ignored
semantic skills-count-available | the number of workers with a skill leaves out unavailable ones
semantic counts-unfiltered | the numbers of categories count every open bounty, whatever the search
semantic counts-remote-ignored | the numbers of categories do not go by is_remote
semantic counts-null | bounties without a category are counted as null
semantic counts-in-progress | the numbers of categories count bounties in progress
semantic counts-realm | the numbers of categories count bounties of the other realm, hidden ones and those of suspended accounts
semantic counts-two-at-most | a category that more than two bounties have is counted twice
semantic counts-by-name | the categories come by their names
semantic counts-five | at most five categories are listed
semantic skills-oldest-first | skills are listed in the order of their ids
semantic conversations-offset | the offset of conversations is ignored
semantic messages-oldest-first | the list of messages begins with the oldest
semantic poster-name-frozen | a bounty keeps the name that the account had when it posted
semantic conversation-poster-frozen | a conversation shows the worker the former name of the account
semantic human-name-frozen | a conversation shows the name that the worker had at its start
semantic application-name-frozen | an application shows the name that the worker had then
semantic application-rating-frozen | an application shows the rating that the worker had then
semantic bounty-status-frozen | a worker's list of applications shows the bounty's status at the time of the application
semantic count-pending-only | applications_count counts pending applications only
semantic count-minus-rejected | applications_count goes down when an application is rejected
semantic count-list-zero | applications_count in the agents' list is always 0
semantic count-own-worker | applications_count for a worker counts this worker's applications only
semantic upvotes-accepted | upvotes counts the accepted applications
semantic last-message-first | last_message stays the first message
semantic last-message-own | last_message for the agent is the latest message of the agent
semantic last-message-cut | last_message is cut at 100 characters
semantic last-at-worker | last_message_at is not set by the worker's messages
semantic last-at-start | last_message_at stays the time of the start
semantic last-used-never | last_used_at is never set
semantic last-used-created | last_used_at is set when the key is created
semantic last-used-all-keys | a request sets last_used_at of all keys of the account
semantic last-used-first | last_used_at stays the time of the first use
semantic active-keys-revoked | active_keys counts revoked keys, too
semantic active-keys-first | active_keys does not count the keys that agents create themselves
semantic has-token-always | has_token is true for all workers
semantic has-token-never | has_token stays false after a token was created
semantic application-time-decided | created_at of an application becomes the time of the decision
# semantic: messages and conversations
semantic sender-worker | a worker's message has the sender agent
semantic sender-first | the first message of a conversation has the sender human
semantic sender-latest | all messages show the sender of the latest one
semantic messages-newest-first | messages are listed newest first
semantic messages-max-10 | a conversation shows its latest 10 messages only
semantic message-twice | an agent's message with the same text as the one before is not stored again
semantic conversation-reused | a second conversation with a worker is the former one
semantic conversations-by-id | conversations are sorted by id, the newest first
semantic conversations-tie | of conversations with the same last_message_at the oldest comes first
semantic conversations-limit | limit of conversations is ignored
semantic conversations-oldest | with limit the oldest conversations are kept
semantic conversation-foreign-403 | another account's conversation is 403 in place of 404
semantic conversation-foreign-read | an agent can read conversations of other accounts
semantic conversation-foreign-write | an agent can write into conversations of other accounts
semantic conversation-foreign-bounty | a conversation can be about a bounty of another account
semantic conversation-bounty-unchecked | a conversation can be about a bounty that does not exist
semantic conversation-bounty-required | a conversation without a bounty is 404
semantic conversation-bounty-lost | the bounty of a new conversation is not stored
semantic conversation-bounty-unlisted | a worker's list of conversations does not show their bounties
semantic worker-conversation-foreign | a worker can read conversations of other workers
semantic worker-write-foreign | a worker can write into conversations of other workers
semantic worker-conversations-all | a worker's list has the conversations of all workers
semantic message-id-conversation | the response to a new message has the id of the conversation
semantic suspended-worker-silent | a worker cannot read conversations with a suspended account
# semantic: files
simple file-type-unchecked | the media type of a file is not checked
simple file-empty | an empty file is accepted
simple worker-file-200 | a worker's file answers 200
semantic file-foreign-delete | anybody can delete a file that no message has
semantic file-foreign-403 | deleting another caller's file is 403 in place of 404
semantic file-delete-ignored | a deleted file is still there
semantic files-foreign | anybody can list the files of a conversation
semantic file-sha256 | the digest of a file is that of its name
semantic revoked-reads-files | a revoked key can still read and list files
semantic key-file-type | the bytes of a file make no other request
# semantic: search
semantic skill-part | the skill filter finds parts of a name
semantic skill-case | the skill filter heeds case
semantic skill-width | the skill filter heeds the width of letters
semantic skill-first | the skill filter looks at the first skill only
semantic skill-category | the skill filter also finds the category of a skill
semantic state-romaji | the state filter does not know the names in Latin letters
semantic state-suffix | the state filter does not know the names without 都, 府, 県
semantic state-part | the state filter finds parts: 京都 finds 東京都
semantic state-city | the state filter also finds the city
semantic location-whole | the location filter must be the whole location
semantic location-case | the location filter heeds case
semantic location-wildcards | % and _ in a searched location stand for any characters
semantic place-names | a worker's location filter knows one name of a prefecture only
semantic place-names-anywhere | a worker's search for 京都 finds places in 東京都, too
semantic location-begin | the location filter must be the beginning of the location
semantic category-part | the category filter finds parts
semantic category-case | the category filter heeds case
semantic rate-min-exclusive | minRate is exclusive
semantic rate-max-exclusive | maxRate is exclusive
semantic rate-as-text | rates are compared as texts
semantic rate-whole | the decimals of minRate and maxRate are cut off
semantic rate-unpriced | workers with the hourly rate 0 are never found with maxRate
semantic filters-or | several filters of workers are combined with OR
semantic bounty-filters-or | category and location of bounties are combined with OR
semantic nearest-missing | no names are proposed for an unknown one
semantic nearest-known | names are proposed for a known one
semantic nearest-always | names are proposed although something is found
semantic nearest-spaces | spaces in proposed names are not percent-encoded
semantic gender-other | gender=other finds all workers
semantic gender-shown | the gender is shown in a worker's profile
semantic remote-zero | is_remote=0 shows only work that is not remote
semantic remote-location | a remote bounty is found under every location
semantic search-stale-rate | the search filters by the hourly rate at creation
semantic search-stale-skills | the search filters by the skills at creation
semantic search-stale-state | the search filters by the prefecture at creation
semantic search-stale-rating | the search sorts by the rating at creation
semantic search-available | workers who are unavailable are not found
semantic search-token | workers without a token are not found
semantic search-verified-first | verified workers come first
semantic order-humans-tie | of workers with the same rating the newest comes first
semantic order-rating-whole | the order of workers heeds whole stars only
semantic order-bounties-asc | bounties are listed oldest first
semantic order-chosen-ignored | bounties for workers are listed newest first, whatever order is chosen
semantic order-pay-lowest | the order by pay begins with the lowest
semantic order-deadline-nulls-first | in the order by deadline, bounties without one come first
semantic words-any | a search finds bounties that have one of its words
semantic words-in-one-field | a search finds bounties that have all words in one field only
semantic words-not-in-skills | a search finds no words of the skills
semantic words-case | a search for words distinguishes capitals
semantic worker-applications-order-ignored | a worker's applications are listed latest first, whatever order is chosen
semantic order-bounties-touched | a bounty whose status was changed moves to the top
semantic order-applications-desc | applications to a bounty are listed newest first
semantic order-keys-desc | keys are listed newest first
semantic total-page | total is the number of items on the page
semantic total-unfiltered | total of workers ignores the filters
semantic total-closed | total of bounties counts closed bounties
semantic total-past-end | total is 0 if the offset is past the end
semantic offset-pages | offset counts pages
semantic offset-before-filter | offset skips before the filters are applied
semantic page-last | a full page lacks its last item
semantic past-end-404 | an offset past the end is 404
# semantic: bounties and applications
semantic open-in-progress | bounties in progress are listed, too
semantic closed-404 | a bounty that is not open is 404 for workers
semantic closed-404-agents | a bounty that is not open is 404 for other accounts
semantic completed-final | a completed bounty cannot change
semantic reopen-refused | a cancelled bounty cannot be opened again
semantic same-status-400 | setting the current status again is 400
semantic status-not-stored | setting a bounty to completed is answered with 200 but not stored
semantic accept-starts | accepting an application sets the bounty in progress
semantic accept-rejects-others | accepting an application rejects all others
semantic cancel-rejects | cancelling a bounty rejects its pending applications
semantic decision-once | a decision cannot be changed
semantic decision-closed | applications to a bounty that is not open cannot be decided
semantic decision-other-bounty | an application is found under any bounty of the account
semantic decision-not-owner | any account can decide applications
semantic update-not-owner | any account can change a bounty
semantic applications-not-owner | any account can list the applications to a bounty
semantic not-owner-404 | a bounty of another account is 404 in place of 403
semantic apply-twice | a worker can apply several times
semantic apply-after-rejection | a rejected worker can apply again
semantic apply-once-anywhere | a worker with a pending application cannot apply elsewhere
semantic apply-closed | a bounty that is not open takes applications
semantic apply-in-progress | a bounty in progress takes applications
semantic apply-skills | workers without the required skills cannot apply
semantic apply-unavailable | workers who are unavailable cannot apply
semantic worker-hides-applied | a worker's list leaves out bounties that the worker has applied to
semantic worker-applications-all | a worker's list has the applications of all workers
semantic worker-applications-offset | offset of a worker's applications is ignored
semantic worker-applications-closed | a worker's list leaves out applications to bounties that are not open
semantic rejected-hidden | rejected applications are not shown to the owner
semantic applications-cut-20 | the list of applications to a bounty has 20 rows at most
# semantic: the sandbox
semantic realm-header-missing | responses to an account in the sandbox do not say so
semantic realm-read-bounty | bounties in the sandbox can be read from outside, and the other way round
semantic realm-write-bounty | bounties in the sandbox can be changed from outside, and take applications
semantic realm-write-conversation | an account in the sandbox can write to workers outside of it
# semantic: accounts and keys
semantic suspended-read | a suspended account can still read
semantic suspended-listed | bounties of suspended accounts are listed
semantic suspended-counted | total counts the bounties of suspended accounts
semantic suspended-bounty-404 | a bounty of a suspended account is 404 for other accounts
semantic suspended-cancels | suspending an account cancels its open bounties
semantic suspended-revokes | suspending an account revokes its keys
semantic suspended-401 | the keys of a suspended account are 401
semantic suspension-forever | ending a suspension has no effect
semantic suspension-later | a key that was used before the suspension still works
semantic revoked-works | a revoked key still works
semantic revoked-reads | a revoked key can still read
semantic revoke-self-refused | the key of the request cannot be revoked
semantic revoke-all | revoking a key revokes all keys with the same name
semantic revoke-foreign | any account can revoke any key
semantic revoke-foreign-403 | revoking another account's key is 403 in place of 404
semantic revoke-twice | revoking a revoked key is 200
semantic keys-all-accounts | the list of keys has the keys of all accounts
semantic keys-revoked-listed | the list of keys has revoked keys
semantic token-former | the former token of a worker still works
semantic token-cross | a worker's new token ends the tokens of all workers
semantic quota-4 | an account can have 4 keys
semantic quota-revoked | revoked keys count against the quota
semantic quota-first | the first key does not count against the quota
semantic quota-operator | the operator's keys are not limited
semantic quota-all-accounts | the quota counts the keys of all accounts of the same plan
semantic quota-race | concurrent requests can exceed the quota of keys
semantic quota-code | a fourth key is 429
semantic plan-free | accounts of the plan free can create keys
semantic plan-frozen | the plan is the one that the account had at its creation
semantic plan-downgrade | an account that becomes free loses all but its first key
semantic plan-operator | the operator cannot create keys for accounts of the plan free
semantic accounts-suspended-hidden | the list of accounts leaves out suspended ones
semantic accounts-total | total of accounts leaves out suspended ones
semantic account-patch-resets | a PATCH of an account without suspended ends the suspension
semantic key-id-reused | the id of the latest key is used again after it was revoked
semantic header-twice | of two credentials in one request the first one counts
semantic key-case | the case of a credential is ignored
# semantic: precedence
semantic plan-before-invalid | the plan is checked before the body
semantic absent-before-invalid | an unknown id in the path is reported before faults of the body
semantic owner-before-absent | another account's bounty is 403 before the unknown application is 404
semantic quota-before-plan | the quota is checked before the plan
semantic applied-before-open | a second application to a closed bounty is already_applied in place of not_open
semantic credential-before-method | 401 comes before 405
semantic size-before-type | 413 comes before 415
semantic invalid-before-credential | an invalid query is reported before the missing credential
semantic invalid-before-suspended | an invalid query is reported before the suspension of the account
# semantic: workers
semantic patch-resets | a PATCH of a worker by the operator sets bio and photos to empty if they are absent
semantic me-resets-availability | a worker's PATCH without is_available makes the worker available
semantic skills-append | new skills are added to the former ones
semantic skills-sorted | skills are sorted by name
semantic skill-id-worker | each worker has skill ids of its own
semantic skill-id-category | skills with the same name have the same id in all categories
semantic skill-id-exact | skills that differ in case only have different ids
semantic skill-id-new | a PATCH with the same skills gives them new ids
semantic skill-id-kept | a skill that no worker has any more returns with its former id
semantic hidden-seen-agents | other accounts can read a hidden bounty
semantic hidden-seen-workers | all workers can read a hidden bounty, and apply to it
semantic hidden-owner | a hidden bounty is 404 for its owner
semantic hidden-applicant | a hidden bounty is 404 for the workers who have applied
semantic hidden-listed | hidden bounties are in searches
semantic hidden-closes | hiding a bounty cancels it
semantic lock-ignored | the owner can change the status of a locked bounty
semantic lock-same-status | the owner of a locked bounty gets a success for its present status
semantic lock-for-ever | a lock cannot be ended
semantic event-operator | what the operator changes causes no event
semantic photos-append | new photos are added to the former ones
semantic photo-url-only | only the member url of a photo is stored
semantic me-forbidden-name | a worker can change the name
semantic rating-drops-verified | changing the rating of a worker ends its verification
semantic import-partial | a failed import creates the workers before the faulty one
semantic import-order | the ids of an import are in reverse order
semantic import-rating | an import ignores ratings and reviews
semantic import-shared-skills | all workers of an import have the skills of the first one
# semantic: texts
semantic text-trim | white space around texts is cut off
semantic text-nfc | texts are stored in Unicode form NFC
semantic text-nfkc | names are stored in Unicode form NFKC
semantic text-lines | line breaks in texts become spaces
semantic text-html | < and & in texts are escaped
semantic text-cut | messages are cut at 1000 characters
semantic description-cut | the list of bounties shows 200 characters of a description
semantic text-astral | characters beyond the BMP become ?
semantic state-canonical | the prefecture is returned in its long name
semantic key-ignored | idempotency keys have no effect
semantic key-other-request | another request with the same idempotency key gets the first answer
semantic key-shared | all callers share their idempotency keys
semantic key-path | the ids in the path make no other request
semantic key-order | the order of members makes another request
semantic key-quotes | the quotes belong to an idempotency key
semantic key-rejections | a key whose request was rejected cannot be used again
semantic key-secret-again | the answer with a secret is sent again
semantic key-unmarked | nothing says that an answer is that of an earlier request
semantic key-twice | of two idempotency keys the first is used
semantic key-status-200 | every repetition is answered with 200
semantic key-done-again | a repetition is done again, but gets the first answer
semantic key-per-credential | each API key of an account has idempotency keys of its own
semantic key-any | an idempotency key can have spaces and any length
# semantic: webhooks
semantic webhooks-6 | an account can have six webhooks
semantic webhooks-deleted | deleted webhooks count against the quota
semantic webhooks-all-accounts | the list shows the webhooks of all accounts
semantic webhooks-newest-first | webhooks are listed newest first
semantic webhook-url-lower | the URL of a webhook is stored in lower case
semantic webhook-events-lost | a new webhook gets all events, whatever it asks for
simple webhook-events-unchecked | a new webhook accepts unknown names of events
semantic webhook-unchallenged | a new webhook is active without the challenge
semantic webhook-foreign | an account can delete the webhooks of others
semantic webhook-foreign-403 | the webhook of another account is 403 in place of 404
semantic webhook-delete-ignored | a deleted webhook is still there
# semantic: the operator
semantic worker-suspended-works | the token of a suspended worker works
semantic worker-suspended-revokes | a suspension ends the worker's token
semantic worker-suspended-listed | searches find suspended workers
semantic worker-suspended-read | agents can read the profile of a suspended worker
semantic worker-suspended-conversation | agents can start a conversation with a suspended worker
semantic token-end-works | a token that the operator has ended still works
limits sign-in-shared | signing in is limited for all addresses together
semantic budget-above | min_budget leaves out the bounties with exactly this budget
semantic needed-skill-first | a search for a needed skill compares the first one only
semantic token-end-shown | a worker whose token the operator has ended still has one
semantic revoke-any-account | a key can be revoked by the id of another account
semantic revoke-whole-account | revoking a key of an account revokes all of them
semantic filter-part-whole | a part of a name or a title finds nothing
semantic has-token-filter | the filter has_token finds nobody
semantic external-id-twice | two workers can have the same external_id
semantic external-id-twice-by-change | a change can give a worker the external_id of another one
semantic external-id-in-one-request | two workers of one import can have the same external_id
semantic external-id-own | a worker cannot be given its own external_id again
semantic external-id-folded | external_ids that differ only in case are the same
semantic all-humans-suspended-left-out | the operator's list of workers leaves out suspended ones
semantic all-bounties-hidden-left-out | the operator's list of bounties leaves out hidden ones
semantic all-bounties-of-active-accounts | the operator's list of bounties leaves out those of suspended accounts
semantic all-bounties-open | the operator's list of bounties has open ones only
# semantic: withdrawals, deliveries, reviews
semantic count-with-withdrawn | applications_count does not fall after a withdrawal
semantic withdraw-decided | an application that was decided can be withdrawn
semantic withdrawn-applies-again | a worker who has withdrawn an application can apply again
semantic delivery-foreign | a worker can deliver for the application of another one
semantic delivery-21 | an application can have 21 deliveries
semantic review-before-completed | a review is possible before the bounty is completed
semantic review-twice | an application can be reviewed several times
semantic review-hidden-counts | a hidden review still counts for the rating
semantic mean-rounded-down | the mean of the reviews is rounded down
semantic mean-without-given | the mean ignores what the operator has entered
# semantic: votes and trying
semantic votes-swapped | upvotes and downvotes are swapped
semantic vote-closed | a bounty that is not open takes votes
semantic vote-twice | a second vote of a worker counts beside the first one
semantic vote-kept | a vote cannot be changed
semantic vote-none-ignored | a vote cannot be taken back
semantic votes-all | a worker sees the votes of all workers
semantic dry-run-posts | trying a bounty posts it
semantic dry-run-counts | trying a bounty counts towards the text of a day
semantic dry-run-without-quota | trying a bounty ignores the number of open ones
# tools
simple tool-required-none | the list of tools marks no argument as required
simple tool-list-short | the list of tools lacks the last one
simple tool-result-type-missing | a result has no resultType in the newest version of the protocol
simple tool-id-null | a reply of a tool has no id
simple tool-version-old | initialize agrees on an older version than the client's
simple tool-unknown-empty | an unknown tool has an empty result
simple tool-of-another-caller | a tool is called with the credential of the request before
simple tool-unknown-ignored | unknown arguments of a tool are ignored
simple tool-query-lost | arguments of a tool that belong into the query are ignored
simple tool-texts-for-numbers | whole numbers become texts on the way from a tool to its request
simple tool-key-lost | the idempotency key of a tool is ignored
simple tool-data-only | the result of a tool is only the data
simple tool-nearest-lost | the result of a tool proposes no names
simple tool-replay-unmarked | a repeated result of a tool is not marked
simple tool-credential-200 | a tool without a credential has a result in place of 401
simple tool-status-missing | the error of a tool has neither status nor name
simple tool-error-as-success | the error of a tool is no error
# deliveries: visible where webhooks reach the verifier
deliveries deliver-unchallenged | a webhook is active if its URL answers the challenge with anything
deliveries deliver-deleted | a deleted webhook still gets events
deliveries deliver-all-kinds | a webhook gets events that it does not name
deliveries deliver-half | every other event is not sent
deliveries deliver-of-another | a webhook gets the events of another account
deliveries deliver-data-only | what is sent of an event is its data
deliveries deliver-without-cursor | the cursor of an event that is sent is null
deliveries deliver-other-id | the id of a message is not that of the event
deliveries deliver-signs-body | the signature is over the body alone
deliveries deliver-signs-later | the signature is over another time
deliveries deliver-signs-with-text | the signature is made with the text of the secret
# limits
limits limit-put-free | PUT does not count
limits limit-per-address | limits are counted for each address in place of each key
limits limit-per-account | all keys of an account share the limit of one key
limits limit-owner-missing | there is no limit for all keys of an account
limits limit-shared | reads and writes share a counter
limits limit-off-by-one | one request more than the limit is accepted
limits limit-window-hour | the window is an hour
limits limit-window-first | the window begins with the first request
limits limit-reset-delta | X-RateLimit-Reset is the number of seconds
limits limit-remaining-before | the headers report what was left before the request
limits limit-headers-key | the headers report the key even if the account has less left
limits limit-headers-missing-on-error | 4xx responses have no limit headers
limits limit-invalid-free | requests that are invalid do not count
limits limit-worker-token | a worker's new token has a fresh limit
limits limit-deleted-keys | requests of revoked keys do not count for the account
limits limit-operator | the operator is limited, too
limits limit-workers-shared | all workers share a limit
limits limit-delete-free | DELETE does not count
limits limit-suspended-counted | the limit is checked before the suspension
limits failed-unlimited | failed credentials are not limited
limits failed-blocks-valid | too many failures block valid credentials, too
limits failed-100 | 100 failed credentials are the limit
limits in-flight-unlimited | the number of concurrent requests is not limited
limits in-flight-16 | 16 concurrent requests are the limit
limits in-flight-leak | a request that is answered with an error is never taken off the concurrent ones
"""

DEFECTS = {}
for _line in _TEXT.strip().splitlines():
    if _line.startswith('#'):
        continue
    _head, _text = _line.split(' | ', 1)
    _kind, _name = _head.split()
    assert _name not in DEFECTS, _name
    DEFECTS[_name] = (_kind, _text)
