------------------------------- MODULE Outage -------------------------------
(* The store is unavailable for a while, and `onFailure` is `share`: each instance uses its part of the permits that
   remained when it last heard from the store. There is one limit of windows. An exchange is one step here, because
   `Leases` already shows that messages may be lost. Instances notice the outage and its end one after the other.

   Lines that end with "without" are explained in `Leases`. *)
EXTENDS Integers, FiniteSets
CONSTANTS Size,           \* the number of instances, which all of them know
          Limit,
          MostHeld,       \* how many permits an instance may hold
          Unnoticed       \* whether the outage may be so short that an instance does not notice it
VARIABLES available, since, window,                 \* the store; the window in which it became unavailable; the time
          used, held,                               \* what the store counts in each window
          mode, known, inHand, spare, unreported,   \* the instances; `known` is the store's total in the last answer
          admitted, excess                          \* what really happened; what older answers add to the limit
vars == <<available, since, window, used, held, mode, known, inHand, spare, unreported, admitted, excess>>

Instances == 0..(Size - 1)      \* their ranks
Windows == 1..2
Min(a, b) == IF a < b THEN a ELSE b
Max(a, b) == IF a > b THEN a ELSE b
RECURSIVE Sum(_, _)
Sum(f, S) == IF S = {} THEN 0 ELSE LET x == CHOOSE x \in S : TRUE IN f[x] + Sum(f, S \ {x})
Total(w) == used[w] + Sum(held[w], Instances)

\* The parts of a number add up to it: the first instances get one more.
Part(i, number) == (number \div Size)
  + (IF i < number % Size THEN 1 ELSE 0)                                         \* without remainder (outage): + 1

\* The permits that an instance may use without a grant, and that nobody else uses. In a window that begins during the
\* outage, each instance has at least one.
PartLeft(i, w) ==
  LET least == IF since < w THEN 1 ELSE 0 IN
  Max(0, Max(least, Part(i, Limit)) - Part(i, known[i][w]))  \* without part (outage): Limit - known[i][w]

Init ==
  /\ available = TRUE /\ since = 0 /\ window = 1
  /\ used = [w \in Windows |-> 0] /\ held = [w \in Windows |-> [i \in Instances |-> 0]]
  /\ mode = [i \in Instances |-> "shared"] /\ known = [i \in Instances |-> [w \in Windows |-> 0]]
  /\ inHand = [i \in Instances |-> 0] /\ spare = [i \in Instances |-> 0]
  /\ unreported = [i \in Instances |-> [w \in Windows |-> 0]]
  /\ admitted = [w \in Windows |-> 0] /\ excess = 0

\* A call takes a granted permit, and only then one of the instance's part.
Admit(i) ==
  /\ \/ inHand[i] > 0 /\ inHand' = [inHand EXCEPT ![i] = @ - 1] /\ UNCHANGED spare
     \/ /\ inHand[i] = 0 /\ mode[i] = "alone" /\ spare[i] > 0
        /\ spare' = [spare EXCEPT ![i] = @ - 1] /\ UNCHANGED inHand
  /\ unreported' = [unreported EXCEPT ![i][window] = @ + 1] /\ admitted' = [admitted EXCEPT ![window] = @ + 1]
  /\ UNCHANGED <<available, since, window, used, held, mode, known, excess>>

\* An instance reports all, keeps some of its permits, and gets others. Just after an outage it asks for no more than
\* its part leaves, since others may not have reported yet.
Exchange(i) ==
  /\ available
  /\ \E keep \in 0..inHand[i], granted \in 0..MostHeld :
       LET others == Sum(held[window], Instances \ {i})
           usedNow == [w \in Windows |->
             used[w] + unreported[i][w]]                                         \* without reports (outage): used[w]]
           left == Limit - usedNow[window] - others - keep
           isAlone == mode[i] # "shared"
       IN
       /\ keep + granted <= MostHeld /\ granted <= Max(0, left)
       /\ isAlone => granted <= spare[i] + inHand[i] - keep  \* without keeps-to-part (outage): /\ TRUE
       /\ used' = usedNow
       /\ held' = [held EXCEPT ![window][i] = keep + granted,
                               ![3 - window][i] = IF window = 2 THEN 0 ELSE @]
       /\ inHand' = [inHand EXCEPT ![i] = keep + granted]
       /\ spare' = [spare EXCEPT ![i] = IF isAlone THEN Max(0, @ + inHand[i] - keep - granted) ELSE 0]
       /\ known' = [known EXCEPT ![i][window] = usedNow[window] + others + keep + granted]
  /\ unreported' = [unreported EXCEPT ![i] = [w \in Windows |-> 0]]
  /\ mode' = [mode EXCEPT ![i] = IF @ = "alone" THEN "over" ELSE @]
  /\ UNCHANGED <<available, since, window, admitted, excess>>

\* The store becomes unavailable, once. Answers of different ages add this much to the parts.
BecomeUnavailable ==
  /\ available /\ since = 0 /\ available' = FALSE /\ since' = window
  /\ excess' = Sum([i \in Instances |-> Max(0, Part(i, Limit) - Part(i, known[i][window]))], Instances)
               - (Limit - Total(window))
  /\ UNCHANGED <<window, used, held, mode, known, inHand, spare, unreported, admitted>>

\* An instance notices the outage.
Begin(i) ==
  /\ ~available /\ mode[i] = "shared"
  /\ mode' = [mode EXCEPT ![i] = "alone"] /\ spare' = [spare EXCEPT ![i] = PartLeft(i, window)]
  /\ UNCHANGED <<available, since, window, used, held, known, inHand, unreported, admitted, excess>>

BecomeAvailable ==
  /\ ~available /\ available' = TRUE
  /\ Unnoticed \/ \A i \in Instances : mode[i] = "alone"
  /\ UNCHANGED <<since, window, used, held, mode, known, inHand, spare, unreported, admitted, excess>>

\* By now all others have reported.
End(i) ==
  /\ mode[i] = "over"
  /\ \A j \in Instances : mode[j] # "alone"  \* without others-reported (outage): /\ TRUE
  /\ mode' = [mode EXCEPT ![i] = "shared"] /\ spare' = [spare EXCEPT ![i] = 0]
  /\ UNCHANGED <<available, since, window, used, held, known, inHand, unreported, admitted, excess>>

\* Permits end with their window.
TurnOver ==
  /\ window = 1 /\ window' = 2
  /\ inHand' = [i \in Instances |-> 0]  \* without window-ends (outage): /\ UNCHANGED inHand
  /\ spare' = [i \in Instances |-> IF mode[i] = "shared" THEN 0 ELSE PartLeft(i, 2)]
  /\ UNCHANGED <<available, since, used, held, mode, known, unreported, admitted, excess>>

Next == \/ BecomeUnavailable \/ BecomeAvailable \/ TurnOver
        \/ \E i \in Instances : Admit(i) \/ Exchange(i) \/ Begin(i) \/ End(i)
Spec == Init /\ [][Next]_vars

\* In the window in which the outage begins, no more passes than the limit and what older answers add.
WithinParts == \A w \in Windows :
  w <= since \/ since = 0 => admitted[w] <= Limit + (IF w = since THEN Max(0, excess) ELSE 0)

\* If all have the same answer, nothing is added.
SameAnswersAddNothing ==
  since # 0 /\ (\A i \in Instances : known[i][since] = known[0][since]) /\ ~available /\ window = since
  => excess = 0

\* In later windows, the limit holds, or one call for each instance if that is more.
LaterWindows == \A w \in Windows : since # 0 /\ w > since => admitted[w] <= Max(Limit, Size)

\* Nothing that was admitted is lost: once all instances have exchanged, the store counts it.
NothingLost == \A w \in Windows : used[w] + Sum([i \in Instances |-> unreported[i][w]], Instances) = admitted[w]
=============================================================================
