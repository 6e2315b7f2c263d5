package main

import (
	"context"
	"fmt"
	"log"
	"slices"
	"strconv"
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
)

// So many of the last events of a watch are kept for whoever looks for one that was missed.
const keptEvents = 30

// collection is what clients of all forms have.
type collection[L runtime.Object] interface {
	List(context.Context, metav1.ListOptions) (L, error)
	Watch(context.Context, metav1.ListOptions) (watch.Interface, error)
}

// followed is an informer, with what came by its watches and what its handler was told.
type followed struct {
	resource, form string
	store          cache.Store
	registration   cache.ResourceEventHandlerRegistration

	lock  sync.Mutex
	lists int
	// Whether the watch still tells the objects of a streamed list, in the order of their names.
	isStreaming bool
	// The version of the list or of the last event.
	newest uint64
	// The last events.
	recent []string
	// What the handler was told, by namespace and name.
	told map[string]string
}

// holding is what an informer has; objects are `namespace/name uid version`.
type holding struct {
	Form   string   `json:"form"`
	Stored []string `json:"stored"`
	// The same by the calls of its handler.
	Told []string `json:"told"`
	// The last events of its watch.
	Recent []string `json:"recent"`
}

func follow[L runtime.Object](resource, form string, example runtime.Object, client collection[L]) *followed {
	one := &followed{resource: resource, form: form, told: map[string]string{}}
	informer := cache.NewSharedIndexInformer(&cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
			list, err := client.List(ctx, options)
			if err != nil {
				one.problem("a list failed: %v", err)
			} else if options.Continue == "" {
				one.listed(false, versionOf(list))
			}
			return list, err
		},
		WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
			if options.SendInitialEvents != nil && *options.SendInitialEvents {
				one.listed(true, 0)
			}
			opened, err := client.Watch(ctx, options)
			if err != nil {
				one.problem("a watch from %q failed: %v", options.ResourceVersion, err)
				return opened, err
			}
			return watch.Filter(opened, one.passed), nil
		},
	}, example, 0, cache.Indexers{})
	one.store = informer.GetStore()
	registration, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    one.stored,
		UpdateFunc: func(_, object any) { one.stored(object) },
		DeleteFunc: one.deleted,
	})
	if err != nil {
		log.Fatal(err)
	}
	one.registration = registration
	go informer.RunWithContext(context.Background())
	return one
}

func (one *followed) problem(format string, values ...any) {
	printLine(map[string]string{"problem": fmt.Sprintf("%s %s: %s", one.form, one.resource, fmt.Sprintf(format, values...))})
}

// listed is called for the first page of each list, and for each watch that begins with a list.
func (one *followed) listed(isStreaming bool, version uint64) {
	one.lock.Lock()
	defer one.lock.Unlock()
	one.lists++
	if one.lists > 1 {
		one.problem("it listed again, after version %d and %v", one.newest, one.recent)
	}
	one.isStreaming, one.newest = isStreaming, version
}

// passed sees each event of a watch and passes it on.
func (one *followed) passed(event watch.Event) (watch.Event, bool) {
	object, err := meta.Accessor(event.Object)
	if event.Type == watch.Error || err != nil {
		one.problem("the event %s: %v", event.Type, event.Object)
		return event, true
	}
	version := versionOf(event.Object)
	text := fmt.Sprintf("%s %s/%s %d", event.Type, object.GetNamespace(), object.GetName(), version)
	one.lock.Lock()
	defer one.lock.Unlock()
	one.recent = append(one.recent, text)
	one.recent = one.recent[max(0, len(one.recent)-keptEvents):]
	isBookmark := event.Type == watch.Bookmark
	if isBookmark && object.GetAnnotations()[metav1.InitialEventsAnnotationKey] == "true" {
		one.isStreaming = false
	} else if one.isStreaming {
		return event, true
	}
	// Clients go on with a watch from the version of the last object that they saw.
	if version < one.newest || version == one.newest && !isBookmark {
		one.problem("%s after version %d", text, one.newest)
	}
	one.newest = version
	return event, true
}

// versionOf returns the resource version of an object or of a list; 0, which no object has, if it is none.
func versionOf(object runtime.Object) uint64 {
	accessor, err := meta.CommonAccessor(object)
	if err != nil {
		return 0
	}
	version, err := strconv.ParseUint(accessor.GetResourceVersion(), 10, 64)
	if err != nil {
		return 0
	}
	return version
}

func (one *followed) stored(object any) {
	key, text := keyAndText(object)
	one.lock.Lock()
	defer one.lock.Unlock()
	one.told[key] = text
}

func (one *followed) deleted(object any) {
	if unknown, isUnknown := object.(cache.DeletedFinalStateUnknown); isUnknown {
		one.problem("the last state of %s is not known", unknown.Key)
		object = unknown.Obj
	}
	key, _ := keyAndText(object)
	one.lock.Lock()
	defer one.lock.Unlock()
	delete(one.told, key)
}

func (one *followed) holding() holding {
	stored := []string{}
	for _, object := range one.store.List() {
		_, text := keyAndText(object)
		stored = append(stored, text)
	}
	one.lock.Lock()
	defer one.lock.Unlock()
	told := []string{}
	for _, text := range one.told {
		told = append(told, text)
	}
	return holding{Form: one.form, Stored: stored, Told: told, Recent: slices.Clone(one.recent)}
}

func keyAndText(object any) (key, text string) {
	metadata, err := meta.Accessor(object)
	if err != nil {
		log.Fatal(err)
	}
	key = metadata.GetNamespace() + "/" + metadata.GetName()
	return key, fmt.Sprintf("%s %s %s", key, metadata.GetUID(), metadata.GetResourceVersion())
}
