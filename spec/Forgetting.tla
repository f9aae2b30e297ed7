----------------------------- MODULE Forgetting -----------------------------
(* A store that forgets: it is flushed, restarts empty, or falls back to the data of a snapshot or a replica. Instances
   notice this by the answer to their next batch, and report again the counts that were lost.

   There is one counter, and the model knows only the reports of instances; `Leases` models permits. Messages may be
   lost and repeated. Once a batch is answered, its other messages are dropped.

   Two things are left out. Records of batches may expire or be evicted; the store tells this from lost data by the age
   of its data. And some batches leave no record, because they changed nothing.

   Lines that end with "without" are explained in `Leases`. *)
EXTENDS Integers, FiniteSets
CONSTANTS Instances, MostCalls, MostBatches, MostLosses,
          Losses          \* which data the store may lose: a subset of {"everything", "since the snapshot"}
VARIABLES data, snapshot,                    \* the store: see `Nothing`
          calls, unreported, reported, applied, answered, sequence, outstanding, gone,   \* the instances
          requests, replies,                 \* the messages in flight
          losses, heard                      \* how often the store has lost data; who has heard it since then
instances == <<calls, unreported, reported, applied, sequence, outstanding, answered, gone>>
vars == <<data, snapshot, instances, requests, replies, losses, heard>>

RECURSIVE Sum(_, _)
Sum(f, S) == IF S = {} THEN 0 ELSE LET x == CHOOSE x \in S : TRUE IN f[x] + Sum(f, S \ {x})

\* `counted` is the total of each instance, which the store does not know. `record` is the number of its last batch.
Nothing == [counted |-> [i \in Instances |-> 0], record |-> [i \in Instances |-> 0]]
NoBatch == [sequence |-> 0, used |-> 0]

Init ==
  /\ data = Nothing /\ snapshot = Nothing
  /\ calls = [i \in Instances |-> 0] /\ unreported = [i \in Instances |-> 0]
  /\ reported = [i \in Instances |-> 0] /\ applied = [i \in Instances |-> {}]
  /\ answered = [i \in Instances |-> 0]
  /\ sequence = [i \in Instances |-> 0] /\ outstanding = [i \in Instances |-> NoBatch] /\ gone = {}
  /\ requests = {} /\ replies = {} /\ losses = 0 /\ heard = Instances

Admit(i) ==
  /\ i \notin gone /\ calls[i] < MostCalls
  /\ calls' = [calls EXCEPT ![i] = @ + 1] /\ unreported' = [unreported EXCEPT ![i] = @ + 1]
  /\ UNCHANGED <<data, snapshot, reported, applied, sequence, outstanding, answered, gone, requests, replies, losses,
                 heard>>

\* An instance that has nothing to report sends an empty batch, to ask whether the store still knows the last one.
Send(i) ==
  LET batch == [sequence |-> sequence[i] + 1, used |-> unreported[i]] IN
  /\ i \notin gone /\ outstanding[i] = NoBatch /\ sequence[i] < MostBatches
  /\ sequence' = [sequence EXCEPT ![i] = batch.sequence] /\ outstanding' = [outstanding EXCEPT ![i] = batch]
  /\ unreported' = [unreported EXCEPT ![i] = 0]
  /\ requests' = requests \cup {[from |-> i, batch |-> batch]}
  /\ UNCHANGED <<data, snapshot, calls, reported, applied, answered, gone, replies, losses, heard>>

Resend(i) ==
  /\ i \notin gone /\ outstanding[i] # NoBatch
  /\ requests' = requests \cup {[from |-> i, batch |-> outstanding[i]]}
  /\ UNCHANGED <<data, snapshot, instances, replies, losses, heard>>

\* The answer says which batch of the sender the store knew before.
Arrive(i) == \E m \in requests :
  LET before == data.record[i]
      reply == [to |-> i, sequence |-> m.batch.sequence, previous |-> before, after |-> losses]
  IN
  /\ m.from = i /\ requests' = requests \ {m}
  /\ CASE m.batch.sequence = before -> UNCHANGED <<data, replies>>   \* its answer is repeated: `replies` still has it
       [] m.batch.sequence < before -> UNCHANGED <<data, replies>>
       [] OTHER -> /\ data' = [data EXCEPT !.counted[i] = @ + m.batch.used,
                                           !.record[i] = m.batch.sequence]
                   /\ replies' = {r \in replies : r.to # i} \cup {reply}
  /\ UNCHANGED <<snapshot, instances, losses, heard>>

\* From which batch on the store has forgotten reports: those after this one; -1 if it has forgotten none.
LostAfter(i, m) ==
  IF m.previous < answered[i] THEN m.previous  \* without previous (falls-back): IF FALSE THEN 0
  ELSE -1

\* What was lost is unreported again, before the answer is booked, which the store still has. It is remembered with
\* its next batch only.
Receive(i) == \E m \in replies :
  LET after == LostAfter(i, m)
      since == {a \in applied[i] : a.sequence > after}
      lost == CASE after = -1 -> 0
                [] after = 0 -> reported[i]
                [] OTHER -> Sum([a \in since |-> a.used], since)  \* without kept (falls-back): [] OTHER -> reported[i]
  IN
  /\ m.to = i /\ i \notin gone /\ outstanding[i].sequence = m.sequence
  /\ outstanding' = [outstanding EXCEPT ![i] = NoBatch]
  /\ unreported' = [unreported EXCEPT ![i] = @ + lost]
  /\ reported' = [reported EXCEPT ![i] = @ - lost + outstanding[i].used]
  /\ applied' = [applied EXCEPT ![i] = {[sequence |-> m.sequence, used |-> outstanding[i].used]} \cup
       IF after > 0 THEN @ \ since ELSE  \* without reported-again (falls-back): IF FALSE THEN {} ELSE
       @]
  /\ answered' = [answered EXCEPT ![i] = m.sequence]
  /\ heard' = IF m.after = losses THEN heard \cup {i} ELSE heard
  /\ requests' = {r \in requests : r.from # i} /\ replies' = {r \in replies : r.to # i}
  /\ UNCHANGED <<data, snapshot, calls, sequence, gone, losses>>

Kill(i) == i \notin gone /\ gone' = gone \cup {i}
  /\ UNCHANGED <<data, snapshot, calls, unreported, reported, applied, sequence, outstanding, answered, requests,
                 replies, losses, heard>>

Snapshot == snapshot' = data /\ UNCHANGED <<data, instances, requests, replies, losses, heard>>

Forget ==
  /\ losses < MostLosses /\ losses' = losses + 1 /\ heard' = {}
  /\ data' \in (IF "everything" \in Losses THEN {Nothing} ELSE {})
               \cup (IF "since the snapshot" \in Losses THEN {snapshot} ELSE {})
  /\ snapshot' = data'
  /\ UNCHANGED <<instances, requests, replies>>

Next == \/ \E i \in Instances : Admit(i) \/ Send(i) \/ Resend(i) \/ Arrive(i) \/ Receive(i) \/ Kill(i)
        \/ Snapshot \/ Forget
Spec == Init /\ [][Next]_vars

CountedAtMostOnce == \A i \in Instances : data.counted[i] <= calls[i]

\* Once an instance has heard the store, and has nothing more to tell, the store has all that it ever reported.
CountedAgain == \A i \in heard \ gone :
  outstanding[i] = NoBatch /\ unreported[i] = 0 => data.counted[i] >= calls[i]
=============================================================================
