package group_test
import ("testing";"fmt";"encoding/json")
func TestTmp(t *testing.T){
 for _,n:=range []string{"lifecycle","eager-rolling","clash"} {
 s:=fold(capture(t,n))
 for i,r:=range s.Rounds { 
  cs:=""; for _,c:=range r.Causes { cs+=string(c.Kind)+" ["+c.Detail+"] " }
  fmt.Printf("%2d kept %d +%d -%d re %d drop %d mov %d eager %d | rel %d del %d un %d dup %d tw %d units %d ep %d set %v prov %v %s\n", r.Generation, r.Kept,r.Started,r.Stopped,r.Restarted,r.Dropped,r.Moved,r.EagerWouldStop,r.Released,r.Delayed,r.Unassigned,r.Duplicated,r.Twice,r.Units,r.Episode,r.Settled,r.Provisional,cs)
  if n=="lifecycle" && r.Generation==16 { b,_:=json.Marshal(s.Detail(i)); fmt.Println(string(b)) }
 }
 fmt.Println(s.Verdict)
 for _,u:=range s.Units { fmt.Println(u.Unit,u.State,u.Worker,u.Orphaned,u.Stale,u.Reported,u.Since, u.Evidence) }
 }
}
