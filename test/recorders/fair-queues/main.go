// Drives upstream's queue sets with a clock that stands still between steps, and writes down what each step dispatches,
// rejects and leaves waiting. The steps are random, by a fixed seed for each scenario.
//
//	cd test/recorders && go run ./fair-queues > ../../shared/flowcontrol/queueset/testdata/steps.json
package main

import (
	"context"
	"encoding/json"
	"math/rand"
	"os"
	"sync"
	"time"

	fq "k8s.io/apiserver/pkg/util/flowcontrol/fairqueuing"
	"k8s.io/apiserver/pkg/util/flowcontrol/fairqueuing/queueset"
	"k8s.io/apiserver/pkg/util/flowcontrol/fairqueuing/testing/eventclock"
	"k8s.io/apiserver/pkg/util/flowcontrol/metrics"
	"k8s.io/apiserver/pkg/util/flowcontrol/request"
	testclock "k8s.io/utils/clock/testing"
)

// Config is how the level queues requests, with its number of seats.
type Config struct {
	Queues           int `json:"queues"`
	QueueLengthLimit int `json:"queueLengthLimit"`
	HandSize         int `json:"handSize"`
	Limit            int `json:"limit"`
}

// Request is one arrival: its flow and the work that is expected of it.
type Request struct {
	Flow      uint64 `json:"flow,string"`
	Initial   uint64 `json:"initialSeats"`
	Final     uint64 `json:"finalSeats"`
	LatencyNs int64  `json:"additionalLatencyNs"`
}

// Step is something that happens at a time, with its results.
type Step struct {
	AtNs    int64    `json:"atNs"`
	Arrive  *Request `json:"arrive,omitempty"` // gets the next number, from 0
	Finish  *int     `json:"finish,omitempty"`
	Cancel  *int     `json:"cancel,omitempty"`
	Config  *Config  `json:"config,omitempty"`
	Began   []int    `json:"began"` // in order, with those that began before AtNs since the step before
	Refused bool     `json:"refused,omitempty"`
	// Waiting, executing, seats in use, seats waiting.
	Totals [4]int `json:"totals"`
	// Of each queue in use: its index, the reading at which its next request begins, and its seats in use.
	Queues [][3]any `json:"queues"`
}

// Scenario is a sequence of steps on one queue set.
type Scenario struct {
	Name   string `json:"name"`
	Config Config `json:"config"`
	Steps  []Step `json:"steps"`
}

type running struct {
	finish chan struct{}
	done   chan struct{}
	cancel context.CancelFunc
}

type recorder struct {
	clock    *eventclock.Fake
	set      fq.QueueSet
	random   *rand.Rand
	lock     sync.Mutex
	began    []int
	requests map[int]*running
	waiting  []int
	going    []int
	flows    []uint64
	next     int
	start    time.Time
}

func (r *recorder) configure(c Config) {
	queuing := fq.QueuingConfig{Name: "level", DesiredNumQueues: c.Queues, QueueLengthLimit: c.QueueLengthLimit, HandSize: c.HandSize}
	var completer fq.QueueSetCompleter
	var err error
	if r.set == nil {
		pair := metrics.RatioedGaugeVecPhasedElementPair(metrics.PriorityLevelConcurrencyGaugeVec, 1, 1, []string{"level"})
		seats := metrics.PriorityLevelExecutionSeatsGaugeVec.NewForLabelValuesSafe(0, 1, []string{"level"})
		demand := fq.NewNamedIntegrator(testclock.NewFakePassiveClock(r.start), "level")
		completer, err = queueset.NewQueueSetFactory(r.clock).BeginConstruction(queuing, pair, seats, demand)
	} else {
		completer, err = r.set.BeginConfigChange(queuing)
	}
	if err != nil {
		panic(err)
	}
	r.set = completer.Complete(fq.DispatchingConfig{ConcurrencyLimit: c.Limit, ConcurrencyDenominator: max(1, c.Limit)})
}

// arrive returns whether the request was refused.
func (r *recorder) arrive(a *Request) bool {
	id := r.next
	r.next++
	ctx, cancel := context.WithCancel(context.Background())
	state := &running{finish: make(chan struct{}), done: make(chan struct{}), cancel: cancel}
	r.requests[id] = state
	queued := false
	note := func(inQueue bool) { // called while the set is locked: the order is that of the decisions
		r.lock.Lock()
		defer r.lock.Unlock()
		queued = true
		if !inQueue && ctx.Err() == nil {
			r.began = append(r.began, id)
		}
	}
	estimate := request.WorkEstimate{InitialSeats: a.Initial, FinalSeats: a.Final, AdditionalLatency: time.Duration(a.LatencyNs)}
	req, _ := r.set.StartRequest(ctx, &estimate, a.Flow, "", "schema", "", "", note)
	if req == nil {
		return true
	}
	if !queued {
		r.began = append(r.began, id)
	}
	r.waiting = append(r.waiting, id)
	go func() {
		req.Finish(func() { <-state.finish })
		close(state.done)
	}()
	return false
}

// settle moves the requests that have begun to those that can finish, and returns them.
func (r *recorder) settle() []int {
	r.lock.Lock()
	defer r.lock.Unlock()
	began := r.began
	r.began = []int{}
	for _, id := range began {
		r.waiting = without(r.waiting, id)
		r.going = append(r.going, id)
	}
	return began
}

func without(ids []int, gone int) []int {
	kept := []int{}
	for _, id := range ids {
		if id != gone {
			kept = append(kept, id)
		}
	}
	return kept
}

func (r *recorder) step(atNs int64, do func(*Step)) Step {
	at := r.start.Add(time.Duration(atNs))
	r.clock.Run(&at)
	r.clock.SetTime(at)
	step := Step{AtNs: atNs}
	before := r.settle()
	do(&step)
	step.Began = append(before, r.settle()...)
	dump := r.set.Dump(false)
	// Not dump.SeatsWaiting: a request whose final seats are reduced at its dispatch leaves the difference there for good.
	seatsWaiting := 0
	step.Queues = [][3]any{}
	for i, queue := range dump.Queues {
		seatsWaiting += queue.QueueSum.MaxSeatsSum
		if len(queue.Requests) > 0 || queue.ExecutingRequests > 0 || queue.SeatsInUse > 0 {
			step.Queues = append(step.Queues, [3]any{i, queue.NextDispatchR, queue.SeatsInUse})
		}
	}
	step.Totals = [4]int{dump.Waiting, dump.Executing, dump.SeatsInUse, seatsWaiting}
	return step
}

func (r *recorder) finish(step *Step) {
	id := r.going[r.random.Intn(len(r.going))]
	r.going = without(r.going, id)
	step.Finish = &id
	close(r.requests[id].finish)
	<-r.requests[id].done
}

func (r *recorder) cancel(step *Step) {
	id := r.waiting[r.random.Intn(len(r.waiting))]
	r.waiting = without(r.waiting, id)
	step.Cancel = &id
	r.requests[id].cancel()
	<-r.requests[id].done
}

// Shape is what a scenario's random requests look like.
type Shape struct {
	name     string
	config   Config
	flows    int
	initial  int
	final    int // 0: no request lingers
	pauseNs  int64
	finishes float64 // share of steps that finish a request, where one is going on
	changes  []Config
}

const arrivals = 200

func record(seed int64, s Shape) Scenario {
	start := time.Unix(1_700_000_000, 0)
	random := rand.New(rand.NewSource(seed))
	clock, _ := eventclock.NewFake(start, 0, rand.New(rand.NewSource(1)))
	r := &recorder{clock: clock, random: random, requests: map[int]*running{}, start: start, began: []int{}}
	for range s.flows {
		r.flows = append(r.flows, random.Uint64())
	}
	r.configure(s.config)
	scenario := Scenario{Name: s.name, Config: s.config}
	now := int64(0)
	add := func(do func(*Step)) {
		now += 1 + random.Int63n(s.pauseNs)
		scenario.Steps = append(scenario.Steps, r.step(now, do))
	}
	cancelOne := func(step *Step) {
		if len(r.waiting) > 0 { // none if the seats of ended requests were enough for all
			r.cancel(step)
		}
	}
	every := arrivals
	if len(s.changes) > 0 {
		every = arrivals / (len(s.changes) + 1)
	}
	changed := 0
	for r.next < arrivals {
		switch chance := random.Float64(); {
		case changed < len(s.changes) && r.next >= (changed+1)*every:
			config := s.changes[changed]
			changed++
			add(func(step *Step) { step.Config = &config; r.configure(config) })
		case len(r.going) > 0 && chance < s.finishes:
			add(r.finish)
		case len(r.waiting) > 0 && chance > 0.96:
			add(cancelOne)
		default:
			add(func(step *Step) {
				step.Arrive = &Request{Flow: r.flows[random.Intn(s.flows)], Initial: uint64(1 + random.Intn(s.initial))}
				if s.final > 0 && random.Intn(2) == 0 {
					step.Arrive.Final = uint64(1 + random.Intn(s.final))
					step.Arrive.LatencyNs = 1 + random.Int63n(20_000_000)
				}
				step.Refused = r.arrive(step.Arrive)
			})
		}
	}
	for len(r.going) > 0 || len(r.waiting) > 0 {
		if len(r.going) > 0 {
			add(r.finish)
		} else {
			add(func(*Step) {}) // seats of ended requests linger
		}
	}
	return scenario
}

func main() {
	shapes := []Shape{
		{name: "one seat each", config: Config{8, 6, 3, 4}, flows: 12, initial: 1, pauseNs: 2_000_000, finishes: 0.45},
		{name: "many queues", config: Config{64, 50, 6, 10}, flows: 40, initial: 1, pauseNs: 1_000_000, finishes: 0.45},
		{name: "wide requests", config: Config{8, 10, 3, 10}, flows: 6, initial: 10, pauseNs: 4_000_000, finishes: 0.45},
		{name: "wider than the level", config: Config{4, 10, 2, 5}, flows: 6, initial: 9, pauseNs: 4_000_000, finishes: 0.45},
		{name: "lingering seats", config: Config{8, 10, 3, 8}, flows: 8, initial: 2, final: 10, pauseNs: 5_000_000, finishes: 0.45},
		{name: "more final seats than the level", config: Config{8, 10, 3, 6}, flows: 8, initial: 1, final: 16, pauseNs: 9_000_000, finishes: 0.45},
		{name: "two flows in one queue", config: Config{1, 100, 1, 3}, flows: 2, initial: 3, pauseNs: 3_000_000, finishes: 0.45},
		{name: "full queues", config: Config{3, 2, 2, 2}, flows: 9, initial: 1, pauseNs: 1_000_000, finishes: 0.25},
		{name: "without queues", config: Config{0, 0, 0, 5}, flows: 3, initial: 3, final: 2, pauseNs: 3_000_000, finishes: 0.4},
		{name: "exempt", config: Config{-1, 0, 0, 5}, flows: 3, initial: 3, final: 2, pauseNs: 3_000_000, finishes: 0.4},
		{name: "changed limits", config: Config{8, 8, 3, 4}, flows: 12, initial: 3, final: 4, pauseNs: 3_000_000, finishes: 0.45,
			changes: []Config{{8, 8, 3, 12}, {8, 8, 3, 2}, {8, 3, 4, 6}}},
		{name: "changed numbers of queues", config: Config{8, 8, 3, 4}, flows: 12, initial: 2, pauseNs: 2_000_000, finishes: 0.45,
			changes: []Config{{16, 8, 4, 4}, {4, 8, 2, 6}, {6, 4, 2, 3}}},
	}
	scenarios := []Scenario{}
	for i, shape := range shapes {
		scenarios = append(scenarios, record(int64(i+1), shape))
	}
	encoder := json.NewEncoder(os.Stdout)
	if err := encoder.Encode(scenarios); err != nil {
		panic(err)
	}
}
