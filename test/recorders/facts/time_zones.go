package main

import (
	"archive/zip"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
)

// writeTimeZones writes the names of the time zone database that Go programs embed by time/tzdata, as kube-apiserver does.
func writeTimeZones(out string) {
	database, err := zip.OpenReader(filepath.Join(runtime.GOROOT(), "lib", "time", "zoneinfo.zip"))
	must(err)
	defer database.Close()
	names := []string{}
	for _, file := range database.File {
		if !strings.HasSuffix(file.Name, "/") {
			names = append(names, file.Name)
		}
	}
	sort.Strings(names)
	write(out, "time-zones.json", "[\n\""+strings.Join(names, "\",\n\"")+"\"\n]\n")
}
