------------------------------- MODULE Replay -------------------------------
(* Replays games that simulated fleets have played. Each line has to be a step of `Leases` with exactly the figures of
   the line. `Games`, which is generated, has the lines of several games. Each behaviour here is one of these games.
   A line that the model does not allow is a deadlock.

   If a step of the model leaves a choice, the line says what the code chose. `Lose`, `Leave`, `WaitInVain`,
   `HeardFreed` and `Again` are beyond the model. They concern only things that no promise is about: messages that
   never arrive or come twice, and how long calls wait. *)
EXTENDS Leases, Sequences, Games
CONSTANT Explaining            \* whether to print what the model expects of a line that is not explained
VARIABLES game, at, times      \* which game, its next line, and how often this line was explained already
replay == <<game, at, times>>

Line == Games[game][at]
IsExplained == at > Len(Games[game])

ReplayInit == Init /\ game \in DOMAIN Games /\ at = 1 /\ times = 0

--------------------------------------------------------------------------------------------------------------------
(* Lines of calls. *)

Refuse(i) == usedUp[i][pool[i]] /\ inHand[i][pool[i]] = 0 /\ UNCHANGED vars

\* A call may wait although the model knows that the limit is used up. The code does not conclude this from the answer
\* to a statement that asked for nothing.
WaitInVain(i) ==
  /\ status[i] = "up" /\ inHand[i][pool[i]] = 0 /\ usedUp[i][pool[i]]
  /\ line' = [line EXCEPT ![i] = @ + 1] /\ usedUp' = [usedUp EXCEPT ![i][pool[i]] = FALSE]
  /\ UNCHANGED <<window, given, store, status, pool, inHand, unreported, books, outdated, recalled, sequence, outstanding,
                 messages, history>>

\* After an answer, this number of calls still waits.
Stay(i, calls) == line[i] = calls /\ UNCHANGED vars

\* Calls stop waiting: they look up their counter anew because its window is over, or their time is over.
Leave(i, calls) ==
  /\ line[i] >= calls /\ line' = [line EXCEPT ![i] = @ - calls]
  /\ UNCHANGED <<window, given, store, status, pool, inHand, unreported, books, usedUp, outdated, recalled, sequence,
                 outstanding, messages, history>>

--------------------------------------------------------------------------------------------------------------------
(* Lines of messages. *)

Said(i, batch, statements) ==
  /\ Send(i, statements) /\ sequence'[i] = batch
  /\ \A w \in DOMAIN statements : statements[w] \in Statements(i, w)

Shown(grants) == [w \in DOMAIN grants |-> [granted |-> grants[w].granted, atOnce |-> grants[w].atOnce,
                                           elsewhere |-> grants[w].elsewhere, total |-> grants[w].total]]

News(j, w, kind) == [to |-> j, window |-> w, kind |-> kind]

\* The code recalls from some of those that the model recalls from, but from as many as are lacking, if they hold so
\* many. It tells all whom the model tells that something came back, and others too, so that their calls wait less.
Applied(i, batch, grants, recalls, tells) ==
  /\ record[i].sequence < batch /\ Arrive(i) /\ record'[i].sequence = batch
  /\ Shown(record'[i].grants) = grants
  /\ \A w \in DOMAIN grants :
       /\ \A j \in recalls[w] : held[w][j] > 0 /\ News(j, w, "recalled") \in news'
       /\ Sum(held[w], recalls[w]) >=
            Min(outstanding[i].statements[w].needed - grants[w].granted, grants[w].elsewhere)
       /\ \A j \in Instances : News(j, w, "freed") \in news' \ news /\ sequence[j] > 0 => j \in tells[w]

Repeated(i, batch, grants) ==
  record[i].sequence = batch /\ Shown(record[i].grants) = grants /\ Arrive(i) /\ record' = record

Lose(i, what) ==
  /\ requests' = IF what = "batch" THEN {m \in requests : m.from # i} ELSE requests
  /\ replies' = IF what = "answer" THEN {m \in replies : m.to # i} ELSE replies
  /\ UNCHANGED <<window, given, store, instances, news, history>>

Answered(i, batch, calls, refused) ==
  /\ outstanding[i].sequence = batch /\ Receive(i) /\ outstanding'[i] = NoBatch
  /\ admitted'[pool[i]] = admitted[pool[i]] + calls
  /\ line'[i] = line[i] - calls - refused

\* News that the model did not send too: something came back.
HeardFreed(i, w) ==
  /\ status[i] = "up" /\ news' = news \ {News(i, w, "freed")}
  /\ usedUp' = [usedUp EXCEPT ![i][w] = FALSE]
  /\ outdated' = [outdated EXCEPT ![i][w] = w \in DOMAIN outstanding[i].statements]
  /\ UNCHANGED <<window, given, store, status, pool, inHand, unreported, books, line, recalled, sequence, outstanding,
                 requests, replies, history>>

Heard(i, w, kind) ==
  IF kind = "freed" THEN HeardFreed(i, w)
  ELSE News(i, w, kind) \in news /\ HearRecall(i) /\ News(i, w, kind) \notin news'

\* The same was told several times before the instance heard it: for the model, that is one message.
Again(i, w, kind) ==
  /\ news' = news \cup {News(i, w, kind)}
  /\ UNCHANGED <<window, given, store, instances, requests, replies, history>>

--------------------------------------------------------------------------------------------------------------------

Explained(l) ==
  CASE l.op = "turn" -> TurnOver
    [] l.op = "open" -> NextPool(l.i)
    [] l.op = "admit" -> Admit(l.i)
    [] l.op = "refuse" -> Refuse(l.i)
    [] l.op = "wait" -> Wait(l.i) \/ WaitInVain(l.i)
    [] l.op = "stay" -> Stay(l.i, l.calls)
    [] l.op = "leave" -> Leave(l.i, l.calls)
    [] l.op = "send" -> Said(l.i, l.batch, l.statements)
    [] l.op = "resend" -> Resend(l.i)
    [] l.op = "lose" -> Lose(l.i, l.what)
    [] l.op = "apply" -> Applied(l.i, l.batch, l.grants, l.recalled, l.freed)
    [] l.op = "repeat" -> Repeated(l.i, l.batch, l.grants)
    [] l.op = "answer" -> Answered(l.i, l.batch, l.admitted, l.refused)
    [] l.op = "hear" -> Heard(l.i, l.window, l.kind)
    [] l.op = "again" -> Again(l.i, l.window, l.kind)
    [] l.op = "lapse" -> Lapse(l.i, l.window)
    [] l.op = "kill" -> Kill(l.i)

\* What the model expects of the next line, for the message if that is not explained.
Expected(l) ==
  LET i == l.i
      here == pool[i]
  IN
  CASE l.op = "turn" -> "a further window"
    [] l.op = "apply" /\ l.batch = outstanding[i].sequence ->
         LET s == outstanding[i].statements IN
         [w \in DOMAIN s |-> LET g == Granted(i, w, s[w]) IN
            [granted |-> g.granted, atOnce |-> g.atOnce, elsewhere |-> g.elsewhere, total |-> g.total,
             recalled |-> Recalled(i, w, s[w], g), freed |-> Freed(i, w, s[w], g)]]
    [] l.op = "send" -> [w \in DOMAIN l.statements |->
         [used |-> unreported[i][w], mostHeld |-> IF recalled[i][w] \/ w < here THEN 0 ELSE inHand[i][w],
          neededAndHeld |-> IF w < here THEN 0 ELSE line[i], inFlight |-> outstanding[i].sequence]]
    [] l.op = "repeat" -> Shown(record[i].grants)
    [] OTHER -> [status |-> status[i], pool |-> here, inHand |-> inHand[i][here], waiting |-> line[i],
                 usedUp |-> usedUp[i][here], inFlight |-> outstanding[i].sequence]

ReplayNext ==
  \/ /\ ~IsExplained /\ Explained(Line) /\ game' = game
     /\ IF Line.op = "admit" /\ times + 1 < Line.calls
        THEN at' = at /\ times' = times + 1
        ELSE at' = at + 1 /\ times' = 0
  \/ Explaining /\ ~IsExplained /\ ~ENABLED Explained(Line) /\ PrintT("expected " \o ToString(Expected(Line))) /\ FALSE
  \/ IsExplained /\ UNCHANGED <<vars, replay>>

ReplaySpec == ReplayInit /\ [][ReplayNext]_<<vars, replay>>

\* For games whose last line is not true.
IsFound == ~IsExplained
=============================================================================
