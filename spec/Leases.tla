------------------------------- MODULE Leases -------------------------------
(* How instances share one limit of windows, as the code does it today. The names are those of the code: `Batch`,
   `Statement`, `Grant`, `Books`, `Cell`. There is one counter, and every call costs one permit.

   Time has no length here: a window ends, a lease lapses and a message arrives at any moment at which it may. A message
   that never arrives is lost. `Resend` repeats a batch. A message arrives late if others overtake it.

   A line that ends with "without NAME (SCENE): TEXT" is a guard: `spec/check --mutants` puts TEXT in its
   place, and SCENE fails. *)
EXTENDS Integers, FiniteSets, TLC
CONSTANTS Instances, Limit, LastWindow,
          MostBatches,    \* how many batches an instance may number
          Late,           \* whether messages may arrive after the answer; if not, numbers begin again after it
          MostWaiting,    \* how many calls may wait on one instance
          MostWanted,     \* how many permits an instance may want ahead
          MostGiven,      \* how many calls operators may give in a window
          Trouble         \* what may happen to instances: a subset of {"kill", "freeze", "lapse"}
VARIABLES window,                                               \* the time, by the store's clock
          given, used, held, lapsed, record,                    \* the store; `used` includes what has lapsed
          status, pool, inHand, unreported, books, line, usedUp, outdated, recalled, sequence,      \* the instances
          outstanding,
          requests, replies, news,                              \* the messages in flight
          admitted, givenUp                                     \* what really happened, which no step reads
\* The variables of an instance: `pool` is the window of its calls. `inHand` are its unspent permits. `unreported` are
\* permits that calls have used and no batch has reported. `books` are the permits that the store has recorded as held
\* here. `line` is the number of waiting calls. `usedUp` says whether the instance believes that no permits remain.
\* `outdated` says whether permits have come back since the statement in flight was made.
store == <<used, held, lapsed, record>>
instances == <<status, pool, inHand, unreported, books, line, usedUp, outdated, recalled, sequence, outstanding>>
messages == <<requests, replies, news>>
history == <<admitted, givenUp>>
vars == <<window, given, store, instances, messages, history>>

Windows == 1..LastWindow
NoBatch == [sequence |-> 0, statements |-> <<>>]
NoAnswer == [sequence |-> 0, grants |-> <<>>]
Min(a, b) == IF a < b THEN a ELSE b
Max(a, b) == IF a > b THEN a ELSE b
RECURSIVE Sum(_, _)
Sum(f, S) == IF S = {} THEN 0 ELSE LET x == CHOOSE x \in S : TRUE IN f[x] + Sum(f, S \ {x})
PerWindow(x) == [i \in Instances |-> [w \in Windows |-> x]]
Perms == Permutations(Instances)

Init ==
  /\ window = 1 /\ given = [w \in Windows |-> 0]
  /\ used = [w \in Windows |-> 0] /\ held = [w \in Windows |-> [i \in Instances |-> 0]] /\ lapsed = held
  /\ record = [i \in Instances |-> NoAnswer]
  /\ status = [i \in Instances |-> "up"] /\ pool = [i \in Instances |-> 1]
  /\ inHand = PerWindow(0) /\ unreported = PerWindow(0) /\ books = PerWindow(0)
  /\ line = [i \in Instances |-> 0] /\ usedUp = PerWindow(FALSE)
  /\ outdated = PerWindow(FALSE) /\ recalled = PerWindow(FALSE)
  /\ sequence = [i \in Instances |-> 0] /\ outstanding = [i \in Instances |-> NoBatch]
  /\ requests = {} /\ replies = {} /\ news = {}
  /\ admitted = [w \in Windows |-> 0] /\ givenUp = {}

--------------------------------------------------------------------------------------------------------------------
(* Calls. A call that finds no permit in hand waits. If its instance knows that the limit is used up, the call is
   refused. That changes nothing, so there is no action for it: see `RefusedOnlyIfUsedUp`. *)

Admit(i) ==
  /\ status[i] = "up" /\ inHand[i][pool[i]] > 0
  /\ inHand' = [inHand EXCEPT ![i][pool[i]] = @ - 1]
  /\ unreported' = [unreported EXCEPT ![i][pool[i]] = @ + 1]
  /\ admitted' = [admitted EXCEPT ![pool[i]] = @ + 1]
  /\ UNCHANGED <<window, given, store, status, pool, books, line, usedUp, outdated, recalled, sequence, outstanding,
                 messages, givenUp>>

Wait(i) ==
  /\ status[i] = "up" /\ inHand[i][pool[i]] = 0 /\ ~usedUp[i][pool[i]] /\ line[i] < MostWaiting
  /\ line' = [line EXCEPT ![i] = @ + 1]
  /\ UNCHANGED <<window, given, store, status, pool, inHand, unreported, books, usedUp, outdated, recalled, sequence,
                 outstanding, messages, history>>

--------------------------------------------------------------------------------------------------------------------
(* Statements. A batch has one statement for each window in S. It says how many permits were used since the last
   statement, how many the instance keeps, how many its waiting calls need, and how many it wants ahead. *)

\* The statements that an instance may make about a window. If the window is closed or recalled, they return everything.
Statements(i, w) ==
  IF w < pool[i]
  THEN {[used |-> unreported[i][w], held |-> 0, needed |-> 0, wanted |-> 0]}
  ELSE {[used |-> unreported[i][w], held |-> keep, needed |-> Max(0, line[i] - keep), wanted |-> wanted] :
          keep \in 0..
            IF recalled[i][w] THEN 0 ELSE inHand[i][w],  \* without return (waits-end): inHand[i][w],
          wanted \in IF recalled[i][w] THEN {0} ELSE 0..MostWanted}

\* The code also sends useless statements, to show that the instance lives.
IsUseful(i, w, s) == s.used # 0 \/ s.held # books[i][w] \/ s.needed > 0 \/ s.wanted > 0 \/ recalled[i][w]

\* The batch has been answered or given up. Unless messages may be late, nobody asks for its answer again.
Ended(i) ==
  IF Late THEN UNCHANGED <<record, sequence, requests>>
  ELSE /\ record' = [record EXCEPT ![i] = NoAnswer] /\ sequence' = [sequence EXCEPT ![i] = 0]
       /\ requests' = {m \in requests : m.from # i}

Send(i, statements) ==
  LET S == DOMAIN statements
      batch == [sequence |-> sequence[i] + 1, statements |-> statements]
  IN
  /\ status[i] = "up" /\ sequence[i] < MostBatches
  /\ outstanding[i] = NoBatch  \* without one-batch (late-messages): /\ TRUE
  /\ sequence' = [sequence EXCEPT ![i] = batch.sequence]
  /\ outstanding' = [outstanding EXCEPT ![i] = batch]
  /\ unreported' = [unreported EXCEPT ![i] = [w \in Windows |-> IF w \in S THEN 0 ELSE @[w]]]
  /\ inHand' = [inHand EXCEPT ![i] = [w \in Windows |->
       IF w \in S                                                                \* without take-out (calm): IF FALSE
       THEN statements[w].held ELSE @[w]]]
  /\ usedUp' = [usedUp EXCEPT ![i] = [w \in Windows |-> @[w] /\
       ~(w \in S /\ statements[w].held < inHand[i][w])]]  \* without returns-permits (calm): TRUE]]
  /\ recalled' = [recalled EXCEPT ![i] = [w \in Windows |-> @[w] /\ w \notin S]]
  /\ requests' = requests \cup {[from |-> i, batch |-> batch]}
  /\ UNCHANGED <<window, given, store, status, pool, books, line, outdated, replies, news, history>>

State(i) ==
  \E S \in SUBSET {w \in Windows : w <= pool[i]} \ {{}} :
    \E statements \in [S -> UNION {Statements(i, w) : w \in S}] :
      /\ \A w \in S : statements[w] \in Statements(i, w) /\ IsUseful(i, w, statements[w])
      /\ Send(i, statements)

Resend(i) ==
  /\ status[i] = "up" /\ outstanding[i] # NoBatch
  /\ requests' = requests \cup {[from |-> i, batch |-> outstanding[i]]}
  /\ UNCHANGED <<window, given, store, instances, replies, news, history>>

\* A batch whose windows were over two seconds ago is not sent again: its report matters to no limit any more.
IsOver(w) == \A j \in Instances : pool[j] > w \/ status[j] = "gone"
GiveUp(i) ==
  LET S == DOMAIN outstanding[i].statements IN
  /\ status[i] = "up" /\ outstanding[i] # NoBatch
  /\ \A w \in S : IsOver(w)                                                      \* without give-up (windows): /\ TRUE
  /\ \E w \in S : IsOver(w)
  /\ outstanding' = [outstanding EXCEPT ![i] = NoBatch]
  /\ unreported' = [unreported EXCEPT ![i] = [w \in Windows |-> IF w \in S THEN 0 ELSE @[w]]]
  /\ books' = [books EXCEPT ![i] = [w \in Windows |-> IF w \in S THEN 0 ELSE @[w]]]
  /\ givenUp' = givenUp \cup {w \in S : IsOver(w)}
  /\ Ended(i) /\ replies' = {m \in replies : Late \/ m.to # i}
  /\ UNCHANGED <<window, given, used, held, lapsed, status, pool, inHand, line, usedUp, outdated, recalled, news,
                 admitted>>

--------------------------------------------------------------------------------------------------------------------
(* The store. It applies a batch in one step, remembers its number and answer, and repeats the answer. *)

\* Half of the remaining permits, divided by the number of holders. A half is rounded down, so nobody takes the last
\* permit ahead.
TakeAhead(wanted, left, holders) ==
  Max(0, Min(wanted,
    (left + holders - 1) \div (2 * holders)))  \* without last-permit (waits-end): left))

Granted(i, w, s) ==
  LET others == Sum(held[w], Instances \ {i})
      usedNow == Max(0, used[w] + s.used
                        - lapsed[w][i])                  \* without replaces-lapsed (lapses): - 0)
      left == Limit + given[w] - usedNow - s.held
              - others                                                           \* without others-hold (calm): - 0
      forWaiting == Max(0,
                    Min(s.needed, left))                                         \* without left (calm): s.needed)
      ahead == IF forWaiting < s.needed THEN 0
               ELSE TakeAhead(s.wanted, left - forWaiting, 1 + Cardinality({j \in Instances \ {i} : held[w][j] > 0}))
  IN [granted |-> forWaiting + ahead, atOnce |-> forWaiting, elsewhere |-> others, usedNow |-> usedNow,
      given |-> given[w], total |-> usedNow + others + s.held + forWaiting + ahead]

\* The holders to recall permits from. The code recalls only as many as are lacking, first from those that reported
\* longest ago, and four times as many each time that the same calls ask again.
Nobody(i, w, s, grant) == {}   \* for scenes without waits: a recall only forbids an instance to say some things
Recalled(i, w, s, grant) ==
  {j \in Instances \ {i} : held[w][j] > 0
     /\ grant.granted < s.needed}  \* without recall (waits-end): /\ FALSE}

\* Some of the lapsed permits are returned or held again. If nobody holds permits, all instances may believe that the
\* limit is used up, so all are told. If only one instance holds permits, it may believe so too.
Freed(i, w, s, grant) ==
  LET holders == {j \in Instances : held[w][j] > 0}
      isFreed == used[w] + Sum(held[w], Instances) >= Limit + given[w] /\ lapsed[w][i] > 0
                 /\ (grant.total < Limit + given[w] \/ s.held + grant.granted > grant.atOnce)
  IN CASE isFreed /\ holders = {} -> Instances \ {i}    \* without tells-freed (lapses): IN CASE FALSE -> {}
       [] isFreed /\ Cardinality(holders) = 1 -> holders
       [] OTHER -> {}

Apply(i, batch) ==
  LET S == DOMAIN batch.statements
      s == batch.statements
      grants == [w \in S |-> Granted(i, w, s[w])]
  IN
  /\ used' = [w \in Windows |-> IF w \in S THEN grants[w].usedNow + grants[w].atOnce ELSE used[w]]
  /\ held' = [w \in Windows |-> [held[w] EXCEPT ![i] =
       IF w \notin S THEN @ ELSE s[w].held + grants[w].granted - grants[w].atOnce
       ]]                                                                        \* without replaces (calm): + @]]
  /\ lapsed' = [w \in Windows |-> IF w \in S THEN [lapsed[w] EXCEPT ![i] = 0] ELSE lapsed[w]]
  /\ record' = [record EXCEPT ![i] = [sequence |-> batch.sequence, grants |-> grants]]
  /\ replies' = replies \cup {[to |-> i, sequence |-> batch.sequence, grants |-> grants]}
  /\ news' = news \cup UNION {{[to |-> j, window |-> w, kind |-> "recalled"] : j \in Recalled(i, w, s[w], grants[w])}
                               \cup {[to |-> j, window |-> w, kind |-> "freed"] : j \in Freed(i, w, s[w], grants[w])}
                              : w \in S}

Arrive(i) == \E m \in requests :
  /\ m.from = i /\ requests' = requests \ {m}
  /\ CASE m.batch.sequence = record[i].sequence  \* without repeated (calm): /\ CASE FALSE
          -> /\ replies' = replies \cup {[to |-> i, sequence |-> record[i].sequence, grants |-> record[i].grants]}
             /\ UNCHANGED <<store, news>>
       [] m.batch.sequence < record[i].sequence  \* without outdated (late-messages): [] FALSE
          -> UNCHANGED <<store, replies, news>>
       [] OTHER -> Apply(i, m.batch)
  /\ UNCHANGED <<window, given, instances, history>>

\* The lease of a holder ends, because the store has not heard from it. It may have used the permits that it held, so
\* they count as used until its next statement says how many it has really used.
Lapse(i, w) ==
  /\ "lapse" \in Trouble \/ status[i] # "up"
  /\ held[w][i] > 0
  /\ used' = [used EXCEPT ![w] =
       @ + held[w][i]]               \* without counts-all-lapsed (lapses): @ + (held[w][i] + 1) \div 2]
  /\ held' = [held EXCEPT ![w][i] = 0] /\ lapsed' = [lapsed EXCEPT ![w][i] = held[w][i]]
  /\ UNCHANGED <<window, given, record, instances, messages, history>>

Lapsed(w) == Sum(lapsed[w], Instances)

\* An operator lets more calls pass in a window, whatever was used of it. All instances are told, since they may believe
\* the limit to be used up.
Give(w) ==
  \E more \in 1..(MostGiven - given[w]) :
    /\ given' = [given EXCEPT ![w] = @ + more]
    /\ news' = news \cup {[to |-> j, window |-> w, kind |-> "freed"] : j \in
         Instances}                                                              \* without tells-given (gives): {}}
    /\ UNCHANGED <<window, store, instances, requests, replies, history>>

--------------------------------------------------------------------------------------------------------------------
(* Answers and news. Waiting calls take the granted permits, which count as used at once. *)

Receive(i) == \E m \in replies :
  LET S == DOMAIN m.grants
      here == pool[i]
      got == [w \in Windows |-> IF w \in S THEN m.grants[w].granted ELSE 0]
      served == IF here \in S THEN Min(line[i], inHand[i][here] + got[here]) ELSE 0
      isUsedUp == here \in S /\ m.grants[here].total >= Limit
                  + m.grants[here].given                 \* without knows-given (gives): + 0
                  /\ ~outdated[i][here]                  \* without outdates (lapses): /\ TRUE
                  /\ m.grants[here].elsewhere = 0                                \* without elsewhere (calm): /\ TRUE
      left == inHand[i][here] + got[here] - served
  IN
  /\ m.to = i /\ status[i] = "up" /\ replies' = {n \in replies \ {m} : Late \/ n.to # i}
  /\ IF outstanding[i] # NoBatch
        /\ outstanding[i].sequence = m.sequence  \* without answer (late-messages): /\ TRUE
     THEN /\ outstanding' = [outstanding EXCEPT ![i] = NoBatch]
          /\ inHand' = [inHand EXCEPT ![i] = [w \in Windows |-> @[w] + got[w] - (IF w = here THEN served ELSE 0)]]
          /\ unreported' = [unreported EXCEPT ![i] = [w \in Windows |->
               @[w] + (IF w = here THEN served ELSE 0)
                    - (IF w \in S THEN m.grants[w].atOnce ELSE 0)]]              \* without at-once (calm): - 0]]
          /\ books' = [books EXCEPT ![i] = [w \in Windows |->
               IF w \notin S THEN @[w]
               ELSE outstanding[i].statements[w].held + m.grants[w].granted - m.grants[w].atOnce]]
          /\ usedUp' = [usedUp EXCEPT ![i][here] = IF here \in S THEN isUsedUp ELSE @]
          /\ outdated' = [outdated EXCEPT ![i] = [w \in Windows |-> @[w] /\ w \notin S]]
          /\ line' = [line EXCEPT ![i] = IF isUsedUp /\ left = 0 THEN 0 ELSE @ - served]
          /\ admitted' = [admitted EXCEPT ![here] = @ + served]
          /\ Ended(i)
     ELSE UNCHANGED <<record, sequence, requests, outstanding, inHand, unreported, books, usedUp, outdated, line,
                      admitted>>
  /\ UNCHANGED <<window, given, used, held, lapsed, status, pool, recalled, news, givenUp>>

\* Permits are recalled, or will be if an answer in flight grants some.
HearRecall(i) == \E m \in news :
  LET mayHold == books[i][m.window] > 0 \/ outstanding[i] # NoBatch IN
  /\ m.to = i /\ m.kind = "recalled" /\ status[i] = "up" /\ news' = news \ {m}
  /\ recalled' = [recalled EXCEPT ![i][m.window] = @ \/ mayHold]
  /\ UNCHANGED <<window, given, store, status, pool, inHand, unreported, books, line, usedUp, outdated, sequence,
                 outstanding, requests, replies, history>>

\* Permits came back to a used-up limit. An answer in flight may not include them.
HearFreed(i) == \E m \in news :
  /\ m.to = i /\ m.kind = "freed" /\ status[i] = "up" /\ news' = news \ {m}
  /\ usedUp' = [usedUp EXCEPT ![i][m.window] = FALSE]
  /\ outdated' = [outdated EXCEPT ![i][m.window] = outstanding[i] # NoBatch]
  /\ UNCHANGED <<window, given, store, status, pool, inHand, unreported, books, line, recalled, sequence, outstanding,
                 requests, replies, history>>

--------------------------------------------------------------------------------------------------------------------
(* Time passes, and things happen to instances. *)

TurnOver == window < LastWindow /\ window' = window + 1 /\ UNCHANGED <<given, store, instances, messages, history>>

\* An instance opens the pool of the next window. Calls that wait move on to it.
NextPool(i) ==
  /\ status[i] = "up" /\ pool[i] < window /\ pool' = [pool EXCEPT ![i] = window]
  /\ UNCHANGED <<window, given, store, status, inHand, unreported, books, line, usedUp, outdated, recalled, sequence,
                 outstanding, messages, history>>

Kill(i) ==
  /\ "kill" \in Trouble /\ status[i] = "up" /\ status' = [status EXCEPT ![i] = "gone"]
  /\ UNCHANGED <<window, given, store, pool, inHand, unreported, books, line, usedUp, outdated, recalled, sequence,
                 outstanding, messages, history>>

Freeze(i) ==
  /\ "freeze" \in Trouble /\ status[i] = "up" /\ status' = [status EXCEPT ![i] = "frozen"]
  /\ UNCHANGED <<window, given, store, pool, inHand, unreported, books, line, usedUp, outdated, recalled, sequence,
                 outstanding, messages, history>>

\* The instance goes on with the permits that it held. They end with their window, and since the lease ended the store
\* has counted them as used.
Thaw(i) ==
  /\ status[i] = "frozen" /\ status' = [status EXCEPT ![i] = "up"]
  /\ UNCHANGED <<window, given, store, pool, inHand, unreported, books, line, usedUp, outdated, recalled, sequence,
                 outstanding, messages, history>>

Next ==
  \/ TurnOver
  \/ \E w \in Windows : Give(w)
  \/ \E i \in Instances :
       \/ Admit(i) \/ Wait(i) \/ State(i) \/ Resend(i) \/ GiveUp(i) \/ Receive(i) \/ HearRecall(i) \/ HearFreed(i)
       \/ NextPool(i) \/ Arrive(i) \/ Kill(i) \/ Freeze(i) \/ Thaw(i)
       \/ \E w \in Windows : Lapse(i, w)

Spec == Init /\ [][Next]_vars

--------------------------------------------------------------------------------------------------------------------
(* The promises. *)

\* Applied, but the answer has not come back.
IsInDoubt(i) == outstanding[i] # NoBatch /\ record[i].sequence = outstanding[i].sequence

\* Sent, and not applied yet.
IsUnapplied(i, w) == outstanding[i] # NoBatch /\ ~IsInDoubt(i) /\ w \in DOMAIN outstanding[i].statements
\* What the store counts, and no call has used: granted to waiting calls that have not heard of it, or to calls that
\* have moved on to the next window, so that their instance has a negative report to make.
Promised(w) == Sum([i \in Instances |-> Max(0, -unreported[i][w])
  + (IF IsInDoubt(i) /\ w \in DOMAIN record[i].grants THEN record[i].grants[w].atOnce ELSE 0)
  + (IF IsUnapplied(i, w) THEN Max(0, -outstanding[i].statements[w].used) ELSE 0)], Instances)

\* What calls have used, and the store does not count yet.
NotCounted(w) == Sum([i \in Instances |-> Max(0, unreported[i][w])
  + (IF IsUnapplied(i, w) THEN Max(0, outstanding[i].statements[w].used) ELSE 0)], Instances)

NeverOver == \A w \in Windows : admitted[w] <= Limit + given[w]

NothingLostOrTwice == \A w \in Windows \ givenUp :
  used[w] - Lapsed(w) + NotCounted(w) = admitted[w] + Promised(w)

\* What unresponsive instances held counts as used. When they report it, the news have to arrive.
RefusedOnlyIfUsedUp == \A i \in Instances :
  status[i] = "up" /\ pool[i] = window /\ usedUp[i][window] /\ inHand[i][window] = 0
  => \/ admitted[window] + Promised(window) + Lapsed(window) >= Limit + given[window]
     \/ [to |-> i, window |-> window, kind |-> "freed"] \in news

QuietMeansSettled == \A w \in Windows \ givenUp :
  (\A i \in Instances : outstanding[i] = NoBatch /\ unreported[i][w] = 0 /\ inHand[i][w] = 0 /\ books[i][w] = 0)
  => used[w] = admitted[w] /\ \A i \in Instances : held[w][i] = 0 /\ lapsed[w][i] = 0

\* Messages arrive in the end; who waits, asks; who was recalled, returns; the lease of an unresponsive holder lapses:
\* again and again there is a moment in which that is done. (This implies weak fairness, and TLC checks it faster.)
Fairness == \A i \in Instances :
  /\ []<>(\A m \in requests : m.from # i)
  /\ []<>(status[i] # "up" \/ \A m \in replies : m.to # i)
  /\ []<>(status[i] # "up" \/ \A m \in news : m.to # i)
  /\ []<>(status[i] # "up" \/ outstanding[i] # NoBatch \/ (line[i] = 0 /\ \A w \in Windows : ~recalled[i][w]))
  /\ []<>(status[i] = "up" \/ \A w \in Windows : held[w][i] = 0)
FairSpec == Spec /\ Fairness

WaitsEnd == \A i \in Instances : line[i] > 0 /\ status[i] = "up" ~> line[i] = 0 \/ status[i] # "up"
=============================================================================
